/** What the stage dev takes if nobody says anything. */
const DEFAULT = 'eu-central-1';

/**
 * Finds what else the shell says about the region. A stage that was deployed a second time elsewhere would report success.
 *
 * @param region - The stage's parameter; empty if it has none.
 * @param option - The option `--region`.
 * @returns A sentence for each.
 */
export function regionFaults(region: string, option: string | undefined): string[] {
  return Object.entries({ '--region': option, AWS_REGION: process.env.AWS_REGION })
    .filter(([, said]) => region && said && said !== region)
    .map(
      ([name, said]) =>
        `region is "${region}", but ${name} says "${said}": leave that out, or change the region of the stage`,
    );
}

/** Returns the region of a stage: its own, otherwise the shell's, which only dev takes. */
export function regionOf(region: string, option: string | undefined): string {
  return region || option || process.env.AWS_REGION || DEFAULT;
}
