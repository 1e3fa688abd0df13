// Lasting notices above the page, one for each matter.
import {h} from '../dom/elements.js';

/** createNotices(el) -> {show(key, content, {level, action: [text, f]}), hide(key)} */
export function createNotices(el: HTMLElement): Notices {
  const all: Map<string, HTMLElement> = new Map();
  const hide = (key: string) => {
    all.get(key)?.remove();
    all.delete(key);
  };
  return {
    hide,
    show(key, content, {level = 'info', actions = [], action = null} = {}) {
      hide(key);
      const list = action ? [action] : actions;
      const role = level === 'error' ? 'alert' : 'status';
      const box = h('div', {class: 'notice ' + level, role, 'data-notice': key}, h('div', {}, content),
        h('div', {class: 'actions'}, list.map(([text, f]) => h('button', {type: 'button', onclick: f}, text)),
          h('button', {type: 'button', class: 'quiet', 'aria-label': 'Close this notice', onclick: () => hide(key)}, 'Close')));
      all.set(key, box);
      el.append(box);
    },
  };
}
