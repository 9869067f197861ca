export function installedBrowser(): string | undefined;
export function hasBrowser(): boolean;
export function findBrowser(): { path?: string; libraries?: string };
