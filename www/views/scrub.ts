// A number in a sentence that is changed where it stands: dragged sideways, by a finger or a pointer, or with the keys of a slider.

const PIXELS = 3; // that are dragged for one step
const PAGE = 10; // steps
const REST = 300; // ms after the last key, until a change is settled; one that is dragged is when it is let go

/** Gives the element, and what sets its value. input(v) is called at every change, settled(v) once the reader stops. */
export function createScrub({label, least, most, value, text, input, settled}: {
  label: string; least: number; most: number; value: number; text: (v: number) => string; input: (v: number) => void; settled: (v: number) => void;
}) {
  const el = document.createElement('span');
  let at = value, told = value, timer: ReturnType<typeof setTimeout> | undefined, drag: {x: number, from: number} | null = null;
  for (const [name, v] of Object.entries({
    class: 'scrub', role: 'slider', tabindex: '0', 'aria-label': label, 'aria-valuemin': least, 'aria-valuemax': most,
    title: 'Drag sideways, or use the arrow keys',
  })) el.setAttribute(name, String(v));

  function show() {
    el.textContent = text(at);
    el.setAttribute('aria-valuenow', String(at));
    el.setAttribute('aria-valuetext', text(at));
  }

  function go(v: number) {
    const next = Math.min(most, Math.max(least, Math.round(v)));
    if (next === at) return;
    at = next;
    show();
    clearTimeout(timer);
    if (!drag) timer = setTimeout(settle, REST);
    input(at);
  }

  function settle() {
    clearTimeout(timer);
    timer = undefined;
    told = at;
    settled(at);
  }

  el.addEventListener('keydown', e => {
    const to = ({
      ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + PAGE, PageDown: at - PAGE, Home: least, End: most,
    } as Record<string, number>)[e.key];
    if (to === undefined) return;
    e.preventDefault();
    go(to);
  });
  el.addEventListener('pointerdown', e => {
    if (e.button !== 0) return;
    drag = {x: e.clientX, from: at};
    el.setPointerCapture(e.pointerId);
    el.focus();
    e.preventDefault(); // no text is chosen
  });
  el.addEventListener('pointermove', e => { if (drag) go(drag.from + (e.clientX - drag.x) / PIXELS); });
  for (const end of ['pointerup', 'pointercancel']) {
    el.addEventListener(end, () => {
      drag = null;
      if (at !== told) settle();
    });
  }
  show();
  return {
    el,
    /** Whether a change has not been settled, and whether it is held. */
    get moving() { return drag !== null || timer !== undefined; },
    get held() { return drag !== null; },
    set(v: number) {
      if (v === at || drag || timer) return;
      at = told = v;
      show();
    },
  };
}
