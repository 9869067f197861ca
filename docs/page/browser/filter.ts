import { say } from './said.js';

export function startFilter(): void {
  const filter = document.querySelector('#filter') as HTMLInputElement;
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    const operations = document.querySelectorAll<HTMLElement>('.operation');
    let count = 0;
    for (const operation of operations) {
      const text = operation.querySelector('summary')?.textContent?.toLowerCase() ?? '';
      operation.hidden = !words.every((word) => text.includes(word));
      if (!operation.hidden) count += 1;
    }
    say(filter.value ? `${count} of ${operations.length} operations` : '', filter);
  });
}
