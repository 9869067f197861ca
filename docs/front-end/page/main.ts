import { Drafts } from '../service/drafts.js';
import { createSend } from '../service/send.js';
import { type Person, Session, type SignIn } from '../service/session.js';
import { createToDos } from '../service/to-dos.js';
import { setUpAdding } from './adding.js';
import { find } from './element.js';
import { List } from './list.js';
import { announce, attempt, report, showMessage } from './message.js';
import { ignoreRepeats } from './once.js';
import { showWork } from './work.js';

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
    const person = await showWork(find('main'), 'Signing in', () => session.start());
    if (typeof person === 'string') showSignedOut(person, session);
    else showToDos(person, session);
  } catch (error) {
    showSignedOut('You are not signed in.', session);
    throw error;
  }
}

function showSignedOut(sentence: string, session: Session): void {
  const section = find('#signed-out');
  section.hidden = false;
  find('#signed-out p').textContent = sentence;
  find('#signed-out button').onclick = () =>
    void attempt(() => showWork(section, 'Signing in', () => session.signIn()));
}

function showToDos(person?: Person, session?: Session): void {
  const ended = new AbortController();
  const drafts = new Drafts(person?.id ?? '');
  // A change that a person has cut off by a reload may have been made. The list shows that.
  if (!person?.isBack) drafts.takeUnanswered();
  find('#to-dos').hidden = false;
  if (session) {
    const place = find('#person');
    place.hidden = false;
    find('#person span').textContent = person?.name ?? '';
    find('#person button').onclick = () => void attempt(() => showWork(place, 'Signing out', () => session.signOut()));
    session.onSignedOut = (sentence) => {
      ended.abort();
      find('#to-dos').remove();
      place.remove();
      showMessage('');
      announce('');
      showSignedOut(sentence, session);
    };
  }
  const list = new List(createToDos(service, createSend(session)), drafts);
  setUpAdding(list);
  void list.refresh();
  const refresh = () => document.hidden || void list.refresh();
  document.addEventListener('visibilitychange', refresh, { signal: ended.signal });
}
