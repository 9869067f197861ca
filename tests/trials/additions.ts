// What somebody does who follows the recipes of CONTRIBUTING, in a copy of the project.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesOf } from '../../docs/your-own/names.js';
import { resourceFile } from '../../docs/your-own/resource-file.js';
import {
  COMPLETE,
  DELETE_DONE,
  DELETE_ITEM,
  IS_COMPLETE,
  LAST_REQUESTS,
  MATCHES,
  MATCHES_DUE,
  requestsOf,
} from './added.js';

/** A second resource, whose path begins with that of to-dos. */
const LISTS = namesOf('todo-list', '/api/todo-lists', 'To-do Lists', []);

/** Changes texts, each of which is there once, or writes a file. The path leads from the copy. */
function changeIn(folder: string) {
  return {
    change(file: string, ...changes: readonly (readonly [before: string, after: string])[]) {
      const text = changes.reduce(
        (text, [before, after]) => {
          if (text.split(before).length !== 2) throw new Error(`${file} does not have this once:\n${before}`);
          return text.replace(before, () => after);
        },
        readFileSync(join(folder, file), 'utf8'),
      );
      writeFileSync(join(folder, file), text);
    },
    write(file: string, text: string) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    },
  };
}

/** What is added for each recipe, by its title. Tests are changed by none: which of them fail is what is to be seen. */
export const ADDITIONS: Readonly<Record<string, (folder: string) => void>> = {
  'A member of an item': (folder) =>
    changeIn(folder).change('functions/todo.ts', [
      IS_COMPLETE,
      `${IS_COMPLETE}
    /** The day by which it must be done. */
    due: { type: 'string', format: 'date', nullable: true, default: null, example: '2026-12-24' },`,
    ]),

  'A query parameter'(folder) {
    const { change } = changeIn(folder);
    change(
      'functions/todo.ts',
      [' * @param limit -', ' * @param due - A day: only items that are due then are listed.\n * @param limit -'],
      ['  query: {\n', "  query: {\n    due: { type: 'string', format: 'date', example: '2026-12-24' },\n"],
      [MATCHES, MATCHES_DUE],
    );
    change('docs/requests.http', [
      '### Create an item',
      '### List what is due: 200\nGET {{url}}/api/todo?due=2026-12-24\n\n### Create an item',
    ]);
  },

  'An operation'(folder) {
    const { change } = changeIn(folder);
    change(
      'functions/todo.ts',
      ['import { route }', "import { API_HEADERS } from '../shared/http/message.js';\nimport { route }"],
      [DELETE_ITEM, `${DELETE_DONE}\n${DELETE_ITEM}`],
    );
    change('docs/requests.http', [
      LAST_REQUESTS,
      `### Delete what is done: 204\nDELETE {{url}}/api/todo\n\n${LAST_REQUESTS}`,
    ]);
  },

  'An action on an item'(folder) {
    const { change } = changeIn(folder);
    change('functions/todo.ts', [DELETE_ITEM, `${COMPLETE}\n${DELETE_ITEM}`]);
    change('docs/requests.http', [
      '### Send an invalid item',
      '### Complete it: 204\nPOST {{url}}/api/todo/{{key}}/complete\n\n### Send an invalid item',
    ]);
  },

  'A resource'(folder) {
    const { change, write } = changeIn(folder);
    write('functions/todo-list.ts', resourceFile(readFileSync('functions/todo.ts', 'utf8'), LISTS));
    change(
      'functions/routes.ts',
      [
        "import * as todo from './todo.js';",
        "import * as todo from './todo.js';\nimport * as todoList from './todo-list.js';",
      ],
      ['= { todo };', "= { todo, 'todo-list': todoList };"],
    );
    const test = readFileSync('docs/your-own/resource.test.txt', 'utf8');
    write(
      'tests/functions/todo-list/todo-list.test.ts',
      test.replaceAll('/PATH', LISTS.path).replaceAll('WORDS', LISTS.words),
    );
    change('docs/requests.http', [LAST_REQUESTS, `${requestsOf(LISTS.path)}${LAST_REQUESTS}`]);
  },

  'A store'(folder) {
    const { change, write } = changeIn(folder);
    const store = readFileSync('tests/trials/map.ts', 'utf8');
    write('shared/store/map.ts', store.replaceAll('../../shared/store/', './').replaceAll('../../shared/', '../'));
    write(
      STORE_TEST,
      `import { MapStore } from '../../../shared/store/map.js';
import { describeStore } from './every-store.js';

describeStore('in a Map', (resource) => new MapStore(resource));
`,
    );
    change(
      'functions/service.ts',
      ['import { MemoryStore }', "import { MapStore } from '../shared/store/map.js';\nimport { MemoryStore }"],
      [
        'return (resource, capacity) => new MemoryStore(resource, capacity)',
        "return (resource, capacity) => resource.name === 'todo-list' ? new MapStore(resource) : new MemoryStore(resource, capacity)",
      ],
    );
  },
};

/** The test that the recipe for a store adds. */
export const STORE_TEST = 'tests/shared/store/map.test.ts';
