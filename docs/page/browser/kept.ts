import { parse } from './json.js';

/** Keeps something as long as this tab is open. Returns false if the storage is full or switched off. */
export function keep(name: string, value: object): boolean {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Returns what was kept, or an empty object. Another page of this origin may have kept anything under this name. */
export function kept(name: string): object {
  try {
    return Object(parse(sessionStorage.getItem(name) ?? ''));
  } catch {
    return {};
  }
}
