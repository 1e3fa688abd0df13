// What the buttons of an experiment's card offer, by how its order stands.
import {setText} from '../dom/elements.js';

export function showState(c: Card, {running, progress, record}: {running: boolean, progress: StudyProgress | null, record: StudyRecord | null}) {
  const left = record ? record.tasks - record.finished : 0, some = Boolean(record?.finished);
  c.go.hidden = running || Boolean(record && left === 0 && record.tasks);
  c.all.hidden = running || !c.study.methods || Boolean(c.order.level);
  c.stop.hidden = c.bar.hidden = !running;
  c.look.hidden = !some && !c.shown;
  c.drop.hidden = running || !record;
  setText(c.go, some ? `Continue (${left} left)` : 'Run');
  setText(c.look, c.shown ? 'Close the report' : running || left > 0 ? 'Report so far' : 'Report');
  c.look.setAttribute('aria-expanded', String(Boolean(c.shown)));
  if (progress) c.bar.value = progress.total ? progress.done / progress.total : 0;
}
