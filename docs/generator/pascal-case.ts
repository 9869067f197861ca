/** Makes one word of words that hyphens part: `not-found` becomes `NotFound`. */
export function pascalCase(text: string): string {
  return text.replace(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
}
