// Lists the items with clients that were generated from the documents of a service that asks for tokens.
import { client } from './generated/with-tokens/hey-api/client.gen.js';
import * as hey from './generated/with-tokens/hey-api/sdk.gen.js';
import { Api } from './generated/with-tokens/swagger-typescript-api/api.js';

/** Functions that list the items at a URL with a token, as each client wants it, by the client's name. */
export const clientsWithToken: Record<string, (url: string, token: string) => Promise<unknown>> = {
  'hey-api': (baseUrl, token) => {
    client.setConfig({ baseUrl, auth: token });
    return hey.apiTodoGet({ throwOnError: true });
  },
  'swagger-typescript-api': (baseUrl, token) => {
    const securityWorker = () => ({ headers: { Authorization: `Bearer ${token}` } });
    return new Api({ baseUrl, securityWorker }).api.apiTodoGet();
  },
};
