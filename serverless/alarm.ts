/** The topic that mails alarms. */
export const TOPIC = { Ref: 'AlarmTopic' };

/** An alarm, as CloudFormation spells it. */
export interface Alarm {
  readonly Type: 'AWS::CloudWatch::Alarm';
  readonly Properties: { readonly AlarmDescription: string };
}

/**
 * Makes an alarm, which mails when it begins and when it ends.
 *
 * @param description - What happened: the mail has it.
 * @param threshold - The value within five minutes that sets it off.
 * @param watched - What is compared with the threshold.
 * @param others - What it has instead of what is usual.
 */
export function alarm(description: string, threshold: number, watched: object, others: object = {}): Alarm {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: description,
      ...{
        AlarmActions: [TOPIC],
        OKActions: [TOPIC],
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold: threshold,
        EvaluationPeriods: 1,
        // No requests, no trouble.
        TreatMissingData: 'notBreaching',
      },
      ...watched,
      ...others,
    },
  };
}
