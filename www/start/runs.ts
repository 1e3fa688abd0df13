// From what is set up to the run on screen: the form's run, an example, files, a link, a stored run.
import {byId, reveal} from '../dom/elements.js';
import {loadFinished} from '../run/finished.js';
import {createPreview} from '../run/preview.js';
import type {createSavedRuns} from '../panels/savedruns.js';
import type {createForm} from '../settings/form.js';
import type {Lab, Message, Options, PageChoices, ReadFile, RunRecord, Settings,
  Thrown} from '../types.js';

/** form() is the settings form once it is there; saved() the saved runs; showView() has the views follow the settings. */
export function createRuns({session, setup, say, attempt}: Lab, {form, saved, showView}: {
  form: () => ReturnType<typeof createForm> | undefined; saved: () => ReturnType<typeof createSavedRuns>; showView: () => void;
}) {
  const problems = () => form()?.problems ?? [];
  const plan = () => setup.plan(name => saved().unique(name));

  const preview = createPreview({
    model: () => session.model, differs: () => setup.differs(session.model), possible: () => problems().length === 0 && setup.possible,
    begin: attempt(begin),
  });

  /** Makes the run that the form describes, untrained; messages are about the request. */
  async function begin(messages: Message[] = []) {
    const [wrong] = problems();
    if (wrong) {
      say.messages(problems());
      say.status('A setting cannot be used; see the message.');
      form()?.focus(wrong.field);
      return false;
    }
    if (!setup.possible) {
      say.messages([{level: 'info', message: 'The settings are for files of your own, which are not open. Open them, or choose an example.'}]);
      reveal(byId('drop'));
      byId('open-files').focus();
      return false;
    }
    preview.cancel();
    say.messages(messages);
    say.status('Preparing\u2026');
    return session.prepare(plan());
  }

  async function chooseExample(name: string) {
    setup.chooseExample(name);
    showView();
    const {model} = session, shipped = await loadFinished(name);
    if (setup.settings.data !== name || session.model !== model && !setup.differs(session.model)) return; // the reader was quicker
    if (shipped) setup.knowShipped(shipped);
    if (shipped && setup.describesShipped) {
      if (session.model.phase === 'running') await session.pause();
      say.messages([]);
      session.showShipped(shipped);
      return;
    }
    await begin();
  }

  /** Opens files with the choice of their parts, null if there is nothing to choose, or with answers about a subject's brain. */
  async function takeFiles(files: ReadFile[], choice: Choice | null, said: Options | null = null) {
    const putBack = setup.takeFiles(files, choice, said);
    say.messages([]);
    say.status('Reading files\u2026');
    try {
      if (await session.prepare(plan())) setup.filesTaken();
    } catch (e) {
      if ((e as Thrown).code === 'too-large') { // they are open, and other settings may fit
        setup.filesTaken();
        await attempt(() => Promise.reject(e))();
        return;
      }
      putBack(); // nothing is lost: the form goes back to what was open before
      say.status('Nothing was opened.');
      throw e;
    }
  }

  /** Takes over the settings of a link. */
  async function follow({settings, messages}: {settings: Settings, messages: Message[]}) {
    setup.replace(settings);
    say.messages(messages);
    showView();
    preview.after(messages);
  }

  /** Puts the untrained run of such settings on screen. */
  function stage(settings: Settings) {
    setup.replace(settings);
    showView();
    return begin();
  }

  /** Has views show something, as a link would. */
  function show(view: PageChoices) {
    setup.setView(view);
    showView();
  }

  /**
   * Shows the run that was trained last with the settings of the address; of the reader's own files, which it does not name, the last one,
   * which brings them back.
   */
  async function reopen() {
    const {own} = setup, course = setup.course();
    setup.keepAsked();
    const run = await saved().reopen((r: RunRecord) => own ? r.data.files && setup.asks(r) : setup.courseOf(r) === course)
      || own && await saved().reopen((r: RunRecord) => r.data.files);
    if (!run) {
      setup.dropAsked();
      return false;
    }
    say.messages(
      own ? [{level: 'info', message: `A link cannot carry files. Your last run on files of your own, \u201c${run.name}\u201d, is open again.`}] : [],
    );
    return true;
  }

  return {begin, chooseExample, takeFiles, stage, show, follow, reopen, preview};
}
