import { Drafts } from '../service/drafts.js';
import { createSend } from '../service/send.js';
import { type Person, Session, type SignIn } from '../service/session.js';
import { createToDos } from '../service/to-dos.js';
import { setUpAdding } from './adding.js';
import { find } from './element.js';
import { List } from './list.js';
import { attempt, report } from './message.js';
import { ignoreRepeats } from './once.js';

/** What build.mjs writes into the page. */
interface Settings {
  /** The URL of the service, with its prefix and without `/api`; empty where it has this page's origin. */
  readonly service: string;
  readonly signIn?: SignIn;
}

const { service, signIn }: Settings = JSON.parse(find('#settings').textContent ?? '');
const session = signIn && new Session(signIn);
ignoreRepeats();
void report(start);

async function start(): Promise<void> {
  if (!session) return showToDos();
  try {
    const person = await session.start();
    if (typeof person === 'string') showSignedOut(person, session);
    else showToDos(person, session);
  } catch (error) {
    showSignedOut('You are not signed in.', session);
    throw error;
  }
}

function showSignedOut(sentence: string, session: Session): void {
  find('#signed-out').hidden = false;
  find('#signed-out p').textContent = sentence;
  find('#signed-out button').onclick = () => void attempt(() => session.signIn());
}

function showToDos(person?: Person, session?: Session): void {
  find('#to-dos').hidden = false;
  if (session) {
    find('#person').hidden = false;
    find('#person span').textContent = person?.name ?? '';
    find('#person button').onclick = () => void attempt(() => session.signOut());
  }
  const list = new List(createToDos(service, createSend(session)), new Drafts(person?.id ?? ''));
  setUpAdding(list);
  void list.refresh().then(() => list.restoreEdits());
  document.addEventListener('visibilitychange', () => document.hidden || void list.refresh());
}
