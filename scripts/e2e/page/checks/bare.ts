// Makes the pictures smaller, and names those that have their new size and not yet their ground, or not what they showed before.
export default async () => {
  const bare: string[] = [], box = document.querySelector('#embeddings-view') as HTMLElement, canvases = [...box.querySelectorAll('canvas')];
  const before = canvases.map(c => c.width);
  let sized = 0;
  // This observer is younger than those of the plots, so it looks at each right after it was sized, in the same frame.
  await new Promise<void>(done => {
    const look = new ResizeObserver(entries => {
      for (const {target} of entries) {
        const c = target as HTMLCanvasElement;
        if (c.width === before[canvases.indexOf(c)]) continue;
        const ctx = c.getContext('2d') as CanvasRenderingContext2D, px = ctx.getImageData(0, 0, c.width, c.height).data, colours = new Set();
        let clear = 0;
        for (const pixel of new Uint32Array(px.buffer)) {
          if (pixel >>> 24 < 255) clear++;
          colours.add(pixel & 0xffffff);
        }
        if (clear || colours.size < 5) bare.push(`${c.width} px: ${clear} not painted, ${colours.size} colours`);
        if (++sized === canvases.length) done();
      }
    });
    for (const c of canvases) look.observe(c);
    box.style.width = '45%';
  });
  return bare;
};
