// Chooses a node, and says what is wrong where it cannot be seen what is said of it, or that covers or moves a picture.
export default async () => {
  const canvases = [...document.querySelectorAll('#embeddings-view canvas')], find = document.querySelector('#find-node') as HTMLInputElement;
  const wrong: string[] = [], boxes = () => canvases.map(c => c.getBoundingClientRect()), before = boxes();
  const choose = async (text: string) => {
    find.value = text;
    find.dispatchEvent(new Event('input', {bubbles: true}));
    do await new Promise(requestAnimationFrame); while (!cadem.state().drawn);
  };
  await choose('3');
  const e = document.querySelector('.picked') as HTMLElement, r = e.getBoundingClientRect();
  const seen = document.elementsFromPoint(r.left + 12, (r.top + r.bottom) / 2).includes(e);
  if (!e.textContent?.includes('shared') || !seen) wrong.push(`the chosen node: ${e.textContent}`);
  boxes().forEach((b, k) => {
    if (b.top !== before[k]?.top || b.width !== before[k]?.width) wrong.push(`picture ${k} moved`);
    if (b.left < r.right && r.left < b.right && b.top < r.bottom && r.top < b.bottom) wrong.push(`picture ${k} is covered`);
  });
  await choose('');
  (e.querySelector('button:last-child') as HTMLElement).click();
  return wrong;
};
