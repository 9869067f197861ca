import type { Resources, Stage } from '../stage.js';
import { type Alarm, TOPIC } from './cloudwatch.js';
import type { Watched } from './watched.js';

/**
 * Makes the alarms, and the topic that mails them.
 *
 * @param stage - Nothing is made without its `alarmEmail`.
 * @param watched - What is watched of it.
 */
export function makeAlarms({ alarmEmail }: Stage, watched: readonly Watched[]): Resources {
  if (!alarmEmail) return {};
  const alarms = watched.flatMap((one) => Object.entries(one.alarms));
  return {
    AlarmTopic: { Type: 'AWS::SNS::Topic' },
    AlarmSubscription: {
      Type: 'AWS::SNS::Subscription',
      Properties: { TopicArn: TOPIC, Protocol: 'email', Endpoint: alarmEmail },
    },
    ...Object.fromEntries(alarms.map(([id, alarm]) => [id, withAdvice(id, alarm)])),
  };
}

/** The mail says where to read on. */
function withAdvice(id: string, { Type, Properties }: Alarm): Alarm {
  const AlarmDescription = `${Properties.AlarmDescription} What to do: docs/incidents.md#${id.toLowerCase()}`;
  return { Type, Properties: { ...Properties, AlarmDescription } };
}
