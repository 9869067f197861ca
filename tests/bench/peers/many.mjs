import { routes } from '../../../functions/routes.ts';
import { readEvent, writeResult } from '../../../shared/gateway/gateway.ts';
import { createDispatcher } from '../../../shared/http/dispatcher.ts';

/** Builds ours with so many routes more. */
export function handlerWith(more) {
  const others = Array.from({ length: more }, (_, index) => ({
    ...routes[index % routes.length],
    template: `/api/other${index}/{id}`,
  }));
  const dispatch = createDispatcher([...routes, ...others], () => undefined);
  return async (event) => writeResult(await dispatch(readEvent(event)).response);
}
