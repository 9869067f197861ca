// Written by `npm run types`. SHA-256 of the document: cd5aedef05f339c8742416b19e14dcb5a693684103669a96e591729ebac1ffa9

export interface paths {
    "/api/todo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists to-do items in the order of their creation. */
        get: operations["ApiTodoGet"];
        put?: never;
        /** Creates a to-do item under a new key. */
        post: operations["ApiTodoPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/todo/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds one to-do item. */
        get: operations["ApiTodoByIdGet"];
        /** Replaces a whole to-do item. */
        put: operations["ApiTodoByIdPut"];
        post?: never;
        /** Deletes a to-do item. */
        delete: operations["ApiTodoByIdDelete"];
        options?: never;
        head?: never;
        /** Changes some members of a to-do item with a JSON Merge Patch. */
        patch: operations["ApiTodoByIdPatch"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An item of the to-do list. */
        TodoItem: {
            /** @description The key of the item, which the service assigns. POST and PATCH ignore it; PUT requires it to equal the key in the path. */
            key?: unknown;
            /**
             * @description What there is to do. It must contain a character that is not white space.
             * @example Walk the dog
             */
            name: string;
            /** @description True when the item is done. */
            isComplete?: boolean;
        };
        /** @description An item of the to-do list. PUT takes the whole item, with its key. */
        TodoItemPut: {
            /**
             * Format: uuid
             * @description The key of the item, which the service assigns. POST and PATCH ignore it; PUT requires it to equal the key in the path.
             * @example 019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47
             */
            key: string;
            /**
             * @description What there is to do. It must contain a character that is not white space.
             * @example Walk the dog
             */
            name: string;
            /** @description True when the item is done. */
            isComplete?: boolean;
        };
        /** @description The members of TodoItem to change, as a JSON Merge Patch (RFC 7396). Members that are left out stay as they are, and null resets a member to its default. */
        TodoItemPatch: {
            /**
             * @description What there is to do. It must contain a character that is not white space.
             * @example Walk the dog
             */
            name?: string;
            /**
             * @description True when the item is done.
             * @example false
             */
            isComplete?: boolean | null;
        };
        /** @description TodoItem as the service returns it: every member is present. */
        StoredTodoItem: {
            /**
             * Format: uuid
             * @description The key of the item, which the service assigns. POST and PATCH ignore it; PUT requires it to equal the key in the path.
             * @example 019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47
             */
            readonly key: string;
            /**
             * @description What there is to do. It must contain a character that is not white space.
             * @example Walk the dog
             */
            name: string;
            /**
             * @description True when the item is done.
             * @example false
             */
            isComplete: boolean;
        };
        /** @description What went wrong and how to fix it, sent as application/problem+json (RFC 9457). */
        Problem: {
            /**
             * Format: uri-reference
             * @description Always about:blank: code says what the status does not.
             * @example about:blank
             */
            type: string;
            /** @description What went wrong, for programs to decide by. There may be more codes than these. */
            code?: string;
            /** @description The name of the status. */
            title: string;
            /**
             * Format: int32
             * @description The status.
             */
            status: number;
            /** @description What went wrong this time, and how to fix it. */
            detail?: string;
            /** @description False if the request certainly changed nothing. If a 503 does not have it, a write may have been applied. */
            applied?: boolean;
            /** @description The id of this request in the log of the service. */
            requestId: string;
            /** @description The invalid members of the body, or the invalid query parameters. */
            errors?: {
                /** @description The member, as a JSON Pointer (RFC 6901). */
                pointer?: string;
                /** @description The query parameter, by its name. */
                parameter?: string;
                /** @description What is wrong with it, and how to fix it. */
                detail: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ApiTodoGet: {
        parameters: {
            query?: {
                /** @description True for the items that are done, false for those that are still open. Left out, all are listed. */
                isComplete?: boolean;
                /** @description The maximum number of items. Without it, as many as fit into one response. A page may have fewer items, or none, although the list goes on: only the last page has no Link header field. */
                limit?: number;
                /** @description The key of an item: the page starts after it. The Link header field leads to the next page. */
                after?: string;
            };
            header?: {
                /** @description Succeeds only if the list is at one of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-Match"?: string;
                /** @description Succeeds only if the list is at none of these versions, and otherwise returns 304: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The entity tag of this version, in quotes, for If-Match and If-None-Match. */
                    ETag: string;
                    /** @description The path and query of the next page of the list, with rel="next"; absent on the last page. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "key": "019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47",
                     *         "name": "Walk the dog",
                     *         "isComplete": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StoredTodoItem"][];
                    "text/json": components["schemas"]["StoredTodoItem"][];
                    "text/plain": components["schemas"]["StoredTodoItem"][];
                };
            };
            /** @description If-None-Match names the current version. */
            304: {
                headers: {
                    /** @description The entity tag of this version, in quotes, for If-Match and If-None-Match. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is not valid, or If-Match or If-None-Match is neither * nor a list of quoted entity tags. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "invalid-query",
                     *       "title": "Bad Request",
                     *       "status": 400,
                     *       "detail": "The query is not valid; see errors.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716",
                     *       "errors": [
                     *         {
                     *           "parameter": "isComplete",
                     *           "detail": "Must be true or false; got \"0\"."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match does not name the current version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "if-match-failed",
                     *       "title": "Precondition Failed",
                     *       "status": 412,
                     *       "detail": "It has changed since you fetched it. Get it again, and send the request with its new ETag.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The service failed; its log has the reason under the requestId. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "failed",
                     *       "title": "Internal Server Error",
                     *       "status": 500,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The collection cannot be reached at the moment, and nothing was changed (applied is false). */
            503: {
                headers: {
                    /** @description The seconds after which to try again. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "unavailable",
                     *       "title": "Service Unavailable",
                     *       "status": 503,
                     *       "detail": "The collection cannot be reached at the moment, and nothing was changed. Try again.",
                     *       "applied": false,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiTodoPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name for this request, preferably a new UUID: 1 to 64 visible characters in quotes, as in "9b2f6c1e-3d4a-4f5b-8c7d-0e1f2a3b4c5d". For an hour, the same key with the same members returns the same response and creates nothing more. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The item to create. A key in it is ignored. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Walk the dog",
                 *       "isComplete": false
                 *     }
                 */
                "application/json": components["schemas"]["TodoItem"];
                "text/json": components["schemas"]["TodoItem"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The entity tag of this version, in quotes, for If-Match and If-None-Match. */
                    ETag: string;
                    /** @description The path of the new item. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47",
                     *       "name": "Walk the dog",
                     *       "isComplete": false
                     *     }
                     */
                    "application/json": components["schemas"]["StoredTodoItem"];
                    "text/json": components["schemas"]["StoredTodoItem"];
                    "text/plain": components["schemas"]["StoredTodoItem"];
                };
            };
            /** @description The body is missing or not valid, or Idempotency-Key is not a quoted string or a token of 1 to 64 visible characters. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "invalid-members",
                     *       "title": "Bad Request",
                     *       "status": 400,
                     *       "detail": "The body is not a valid item; see errors.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716",
                     *       "errors": [
                     *         {
                     *           "pointer": "#/name",
                     *           "detail": "Must be a string that contains a character that is not white space; got null."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request comes from a page of another origin, which may not write. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "cross-site-write",
                     *       "title": "Forbidden",
                     *       "status": 403,
                     *       "detail": "A page of another origin sent this request. Only pages of this service, and of origins that its operator has allowed, may write.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 1 MiB, or the item is too large to be stored (in a table, its JSON may have 400,000 bytes). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "body-too-large",
                     *       "title": "Content Too Large",
                     *       "status": 413,
                     *       "detail": "The body is larger than 1 MiB. Send a smaller one.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The Content-Type is not application/json, text/json or a type that ends in +json, or the body has a Content-Encoding, such as gzip, and cannot be read. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "not-json",
                     *       "title": "Unsupported Media Type",
                     *       "status": 415,
                     *       "detail": "The body is sent as \"text/plain\". Send it as application/json, text/json, or a type that ends in +json.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The Idempotency-Key was used for other members within the last hour. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "idempotency-key-reused",
                     *       "title": "Unprocessable Content",
                     *       "status": 422,
                     *       "detail": "This Idempotency-Key was used for other members within the last hour. Send this request with a new key.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The service failed; its log has the reason under the requestId. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "failed",
                     *       "title": "Internal Server Error",
                     *       "status": 500,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The collection cannot be reached at the moment, and nothing was changed (applied is false), or the change may have been made (applied is absent): check before you send it again. With the same Idempotency-Key, it is safe to send the request again: it does not create a second item. */
            503: {
                headers: {
                    /** @description The seconds after which to try again. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "maybe-applied",
                     *       "title": "Service Unavailable",
                     *       "status": 503,
                     *       "detail": "The collection cannot be reached at the moment. The change may have been made: check before you send it again.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The list has no room for the item: delete others first, or send a smaller one. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "full",
                     *       "title": "Insufficient Storage",
                     *       "status": 507,
                     *       "detail": "The list has no room for the item. Delete others first, or send a smaller one.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiTodoByIdGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Succeeds only if the item is at one of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-Match"?: string;
                /** @description Succeeds only if the item is at none of these versions, and otherwise returns 304: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The key of the item. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The entity tag of this version, in quotes, for If-Match and If-None-Match. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47",
                     *       "name": "Walk the dog",
                     *       "isComplete": false
                     *     }
                     */
                    "application/json": components["schemas"]["StoredTodoItem"];
                    "text/json": components["schemas"]["StoredTodoItem"];
                    "text/plain": components["schemas"]["StoredTodoItem"];
                };
            };
            /** @description If-None-Match names the current version. */
            304: {
                headers: {
                    /** @description The entity tag of this version, in quotes, for If-Match and If-None-Match. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description If-Match or If-None-Match is neither * nor a list of quoted entity tags. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "malformed-condition",
                     *       "title": "Bad Request",
                     *       "status": 400,
                     *       "detail": "If-Match is malformed: entity tags must be in quotes, as in \"1\". Separate several tags with commas, or send * to match any version.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No item has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "not-found",
                     *       "title": "Not Found",
                     *       "status": 404,
                     *       "detail": "No item has this key. List the items to see their keys.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match does not name the current version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "if-match-failed",
                     *       "title": "Precondition Failed",
                     *       "status": 412,
                     *       "detail": "It has changed since you fetched it. Get it again, and send the request with its new ETag.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The service failed; its log has the reason under the requestId. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "failed",
                     *       "title": "Internal Server Error",
                     *       "status": 500,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The collection cannot be reached at the moment, and nothing was changed (applied is false). */
            503: {
                headers: {
                    /** @description The seconds after which to try again. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "unavailable",
                     *       "title": "Service Unavailable",
                     *       "status": 503,
                     *       "detail": "The collection cannot be reached at the moment, and nothing was changed. Try again.",
                     *       "applied": false,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiTodoByIdPut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Succeeds only if the item is at one of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-Match"?: string;
                /** @description Succeeds only if the item is at none of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The key of the item. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The whole item. Its key is required here and must equal the key in the path. Other members that are left out take their defaults. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47",
                 *       "name": "Walk the dog",
                 *       "isComplete": false
                 *     }
                 */
                "application/json": components["schemas"]["TodoItemPut"];
                "text/json": components["schemas"]["TodoItemPut"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is missing or not valid, or If-Match or If-None-Match is neither * nor a list of quoted entity tags. Or the key in the body is missing or differs from the key in the path. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "invalid-members",
                     *       "title": "Bad Request",
                     *       "status": 400,
                     *       "detail": "The body is not a valid item; see errors.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716",
                     *       "errors": [
                     *         {
                     *           "pointer": "#/name",
                     *           "detail": "Must be a string that contains a character that is not white space; got null."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request comes from a page of another origin, which may not write. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "cross-site-write",
                     *       "title": "Forbidden",
                     *       "status": 403,
                     *       "detail": "A page of another origin sent this request. Only pages of this service, and of origins that its operator has allowed, may write.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No item has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "not-found",
                     *       "title": "Not Found",
                     *       "status": 404,
                     *       "detail": "No item has this key. List the items to see their keys.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match does not name the current version, or If-None-Match names it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "if-match-failed",
                     *       "title": "Precondition Failed",
                     *       "status": 412,
                     *       "detail": "It has changed since you fetched it. Get it again, and send the request with its new ETag.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 1 MiB, or the item is too large to be stored (in a table, its JSON may have 400,000 bytes). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "body-too-large",
                     *       "title": "Content Too Large",
                     *       "status": 413,
                     *       "detail": "The body is larger than 1 MiB. Send a smaller one.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The Content-Type is not application/json, text/json or a type that ends in +json, or the body has a Content-Encoding, such as gzip, and cannot be read. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "not-json",
                     *       "title": "Unsupported Media Type",
                     *       "status": 415,
                     *       "detail": "The body is sent as \"text/plain\". Send it as application/json, text/json, or a type that ends in +json.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The service failed; its log has the reason under the requestId. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "failed",
                     *       "title": "Internal Server Error",
                     *       "status": 500,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The collection cannot be reached at the moment, and nothing was changed (applied is false), or the change may have been made (applied is absent): check before you send it again. */
            503: {
                headers: {
                    /** @description The seconds after which to try again. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "maybe-applied",
                     *       "title": "Service Unavailable",
                     *       "status": 503,
                     *       "detail": "The collection cannot be reached at the moment. The change may have been made: check before you send it again.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The list has no room for the item: delete others first, or send a smaller one. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "full",
                     *       "title": "Insufficient Storage",
                     *       "status": 507,
                     *       "detail": "The list has no room for the item. Delete others first, or send a smaller one.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiTodoByIdDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Succeeds only if the item is at one of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-Match"?: string;
                /** @description Succeeds only if the item is at none of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The key of the item. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description If-Match or If-None-Match is neither * nor a list of quoted entity tags. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "malformed-condition",
                     *       "title": "Bad Request",
                     *       "status": 400,
                     *       "detail": "If-Match is malformed: entity tags must be in quotes, as in \"1\". Separate several tags with commas, or send * to match any version.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request comes from a page of another origin, which may not write. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "cross-site-write",
                     *       "title": "Forbidden",
                     *       "status": 403,
                     *       "detail": "A page of another origin sent this request. Only pages of this service, and of origins that its operator has allowed, may write.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No item has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "not-found",
                     *       "title": "Not Found",
                     *       "status": 404,
                     *       "detail": "No item has this key. List the items to see their keys.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match does not name the current version, or If-None-Match names it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "if-match-failed",
                     *       "title": "Precondition Failed",
                     *       "status": 412,
                     *       "detail": "It has changed since you fetched it. Get it again, and send the request with its new ETag.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The service failed; its log has the reason under the requestId. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "failed",
                     *       "title": "Internal Server Error",
                     *       "status": 500,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The collection cannot be reached at the moment, and nothing was changed (applied is false), or the change may have been made (applied is absent): check before you send it again. */
            503: {
                headers: {
                    /** @description The seconds after which to try again. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "maybe-applied",
                     *       "title": "Service Unavailable",
                     *       "status": 503,
                     *       "detail": "The collection cannot be reached at the moment. The change may have been made: check before you send it again.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ApiTodoByIdPatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Succeeds only if the item is at one of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-Match"?: string;
                /** @description Succeeds only if the item is at none of these versions: entity tags in quotes, as in "1", separated by commas; or * for any version. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The key of the item. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The members to change. Those left out stay as they are, null resets a member to its default, and a key is ignored. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Walk the dog",
                 *       "isComplete": false
                 *     }
                 */
                "application/json": components["schemas"]["TodoItemPatch"];
                "text/json": components["schemas"]["TodoItemPatch"];
                "application/merge-patch+json": components["schemas"]["TodoItemPatch"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description The entity tag of this version, in quotes, for If-Match and If-None-Match. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is missing or not valid, or If-Match or If-None-Match is neither * nor a list of quoted entity tags. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "invalid-members",
                     *       "title": "Bad Request",
                     *       "status": 400,
                     *       "detail": "The body is not a valid item; see errors.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716",
                     *       "errors": [
                     *         {
                     *           "pointer": "#/name",
                     *           "detail": "Must be a string that contains a character that is not white space; got null."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request comes from a page of another origin, which may not write. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "cross-site-write",
                     *       "title": "Forbidden",
                     *       "status": 403,
                     *       "detail": "A page of another origin sent this request. Only pages of this service, and of origins that its operator has allowed, may write.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No item has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "not-found",
                     *       "title": "Not Found",
                     *       "status": 404,
                     *       "detail": "No item has this key. List the items to see their keys.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description If-Match does not name the current version, or If-None-Match names it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "if-match-failed",
                     *       "title": "Precondition Failed",
                     *       "status": 412,
                     *       "detail": "It has changed since you fetched it. Get it again, and send the request with its new ETag.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 1 MiB, or the item is too large to be stored (in a table, its JSON may have 400,000 bytes). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "body-too-large",
                     *       "title": "Content Too Large",
                     *       "status": 413,
                     *       "detail": "The body is larger than 1 MiB. Send a smaller one.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The Content-Type is not application/json, text/json or a type that ends in +json, or the body has a Content-Encoding, such as gzip, and cannot be read. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "not-json",
                     *       "title": "Unsupported Media Type",
                     *       "status": 415,
                     *       "detail": "The body is sent as \"text/plain\". Send it as application/json, text/json, or a type that ends in +json.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The service failed; its log has the reason under the requestId. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "failed",
                     *       "title": "Internal Server Error",
                     *       "status": 500,
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The collection cannot be reached at the moment, and nothing was changed (applied is false), or the change may have been made (applied is absent): check before you send it again. */
            503: {
                headers: {
                    /** @description The seconds after which to try again. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "maybe-applied",
                     *       "title": "Service Unavailable",
                     *       "status": 503,
                     *       "detail": "The collection cannot be reached at the moment. The change may have been made: check before you send it again.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The list has no room for the item: delete others first, or send a smaller one. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "code": "full",
                     *       "title": "Insufficient Storage",
                     *       "status": 507,
                     *       "detail": "The list has no room for the item. Delete others first, or send a smaller one.",
                     *       "requestId": "6f9b1e93-796e-491b-843f-d5c22bb3e716"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
