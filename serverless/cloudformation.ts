/** Parts of a CloudFormation template, by logical id. */
export type Resources = Readonly<Record<string, object>>;

/** The value that leaves a property out. */
export const NO_VALUE = { Ref: 'AWS::NoValue' };
