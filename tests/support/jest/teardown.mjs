export default async () => globalThis.browser?.close();
