// Lasting notices above the page, one for each matter.
import {button, h} from '../dom/elements.js';

export function createNotices(el: HTMLElement) {
  const all: Map<string, HTMLElement> = new Map();
  const hide = (key: string) => {
    all.get(key)?.remove();
    all.delete(key);
  };
  return {
    hide,
    show(key: string, content: string | Node, {level = 'info', actions = []}: {level?: string; actions?: [string, () => unknown][]} = {}) {
      hide(key);
      const role = level === 'error' ? 'alert' : 'status';
      const box = h('div', {class: 'notice ' + level, role, 'data-notice': key}, h('div', {}, content),
        h('div', {class: 'actions'}, actions.map(([text, f]) => button(text, f)),
          button('Close', () => hide(key), {class: 'quiet', 'aria-label': 'Close this notice'})));
      all.set(key, box);
      el.append(box);
    },
  };
}
