// Of the service that is deployed: another resource in place of to-dos has others.

/** The path of the list. */
export const COLLECTION = '/api/todo';

/** A body that POST takes. */
export const MEMBERS = '{"name":"Walk the dog"}';
