/**
 * Changes an event: puts a value in some member's place, takes the member away, or adds one beside it.
 *
 * @param event - The event.
 * @param place - Chooses the member, at any depth.
 * @param value - The value, undefined to remove the member.
 */
export function change(event: object, place: number, value: unknown): void {
  const members: [Record<string, unknown>, string][] = [];
  const visit = (object: Record<string, unknown>) => {
    for (const [name, inner] of Object.entries(object)) {
      members.push([object, name]);
      if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>);
    }
  };
  visit(event as Record<string, unknown>);
  const [object, name] = members[place % Math.max(1, members.length)] ?? [];
  if (!object || name === undefined) return;
  if (value === undefined) delete object[name];
  else object[place % 3 === 0 ? `${name}2` : name] = structuredClone(value);
}
