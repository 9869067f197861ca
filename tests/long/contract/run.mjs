// Runs other people's tools on the description documents: npm run contract, or npm run contract -- lint for one of the parts.
const parts = ['lint', 'convert', 'proxy', 'clients'];
const wanted = process.argv.slice(2);
const unknown = wanted.find((part) => !parts.includes(part));
if (unknown) throw new Error(`There is no part "${unknown}": there are ${parts.join(', ')}`);

for (const part of wanted.length > 0 ? wanted : parts) {
  const { check } = await import(`./${part}.mjs`);
  console.log(`${part}: ${await check()}`);
}
