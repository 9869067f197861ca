import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Resource } from '../deployment/packaging.js';
import { committedTemplate, TEMPLATE_NAMES } from '../deployment/templates.js';

const guide = readFileSync('docs/incidents.md', 'utf8');

describe('docs/incidents.md', () => {
  const resources = TEMPLATE_NAMES.flatMap((stage) => Object.entries<Resource>(committedTemplate(stage).Resources));
  const alarms = resources.filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');

  it('has a heading for each alarm that a stage may have, and for no other', () => {
    const [, section = ''] = /^## Alarms\n(.*)/ms.exec(guide) ?? [];
    const headings = Array.from(section.matchAll(/^### (.*)$/gm), ([, heading]) => heading);
    expect(headings.toSorted()).toEqual([...new Set(alarms.map(([id]) => id))].sort());
  });

  it('is where each alarm sends whoever is mailed', () => {
    for (const [id, { Properties }] of alarms)
      expect(Properties.AlarmDescription).toMatch(
        new RegExp(`^[A-Z].*\\. What to do: docs/incidents\\.md#${id.toLowerCase()}$`),
      );
  });

  it('can be read at three in the morning: it has at most 140 lines', () => {
    expect(guide.trimEnd().split('\n').length).toBeLessThanOrEqual(140);
  });
});
