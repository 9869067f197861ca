/** What the tests use of the package, which has no types of its own. */
declare module 'swagger-client' {
  interface Answer {
    readonly status: number;
    readonly headers: Record<string, string>;
    // biome-ignore lint/suspicious/noExplicitAny: the client knows no more of a body than that it is JSON.
    readonly body: any;
  }
  type Operation = (parameters?: object) => Promise<Answer>;
  export default function SwaggerClient(url: string): Promise<{ apis: { Todo: Operations } }>;
  type Operations = Record<
    'ApiTodoGet' | 'ApiTodoPost' | 'ApiTodoByIdGet' | 'ApiTodoByIdPut' | 'ApiTodoByIdPatch' | 'ApiTodoByIdDelete',
    Operation
  >;
}
