// Renders the home page's pictures from their drawings, for screens of one and of two points a pixel: so much SVG is
// read and drawn by the thread that draws the page, which is seen later for it. Needs the built program and Chromium;
// run it from web/.
import { writeFile } from 'node:fs/promises'
import { withBrowser, withProgram } from './program.mjs'

await withProgram([], (url) =>
  withBrowser(async (browser) => {
    const page = await browser.newPage()
    await page.goto(`${url}/robots.txt`)
    for (const number of [1, 2]) {
      for (const [density, width, height] of [
        [1, 640, 480],
        [2, 1280, 960],
      ]) {
        const pixels = await page.evaluate(
          async ([source, ...size]) => {
            const drawing = new Image(...size)
            drawing.src = source
            await drawing.decode()
            const canvas = document.createElement('canvas')
            ;[canvas.width, canvas.height] = size
            canvas.getContext('2d').drawImage(drawing, 0, 0, ...size)
            return canvas.toDataURL('image/webp', 0.8)
          },
          [`/media/hero/${number}.svg`, width, height],
        )
        await writeFile(`public/hero-${number}-${density}x.webp`, Buffer.from(pixels.split(',')[1], 'base64'))
      }
    }
  }),
)
