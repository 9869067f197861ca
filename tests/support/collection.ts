/** The path of the list in the service that is deployed. Another resource in place of to-dos has another one. */
export const COLLECTION = '/api/todo';
