// Rasterizes the SVGs of a page's first frame: the home page's hero images and the covers of the built-in packs. The
// browser parses and draws such large SVGs on the main thread, which delays the first frame. Needs the built program and
// Chromium; run it from web/.
import { readdir, rm, writeFile } from 'node:fs/promises'
import { withBrowser, withProgram } from './program.mjs'

const covers = '../internal/art/cover_pixels'

await withProgram([], (url) =>
  withBrowser(async (browser) => {
    const page = await browser.newPage({ bypassCSP: true })
    for (const number of [1, 2]) {
      const drawing = await text(`${url}/media/hero/${number}.svg`)
      await write(`public/hero-${number}-1x.webp`, await pixels(page, drawing, 640, 480))
      await write(`public/hero-${number}-2x.webp`, await pixels(page, drawing, 1280, 960))
    }
    for (const file of await readdir(covers)) await rm(`${covers}/${file}`)
    const shown = JSON.parse(await text(`${url}/api/packs`)).filter(({ isDemo }) => !isDemo)
    for (const { id, coverImageUrl } of shown) {
      // The URLs of SVG and WebP covers both contain the version.
      const [version] = /[0-9a-f]{8}(?=-\d+\.webp$|$)/.exec(coverImageUrl)
      const drawing = await text(`${url}/media/packs/${id}.svg`)
      for (const width of [208, 416, 700]) {
        await write(
          `${covers}/${id}-${version}-${width}.webp`,
          await pixels(page, drawing, width, Math.round(width * 1.44), { alpha: true }),
        )
      }
    }
  }),
)

async function text(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return answer.text()
}

async function write(file, data) {
  await writeFile(file, data)
  console.log(file, data.length)
}

/** The SVG as WebP. Set `alpha` only for transparent images: an alpha layer takes a third of the decoding time. */
async function pixels(page, drawing, width, height, { alpha = false } = {}) {
  const encoded = await page.evaluate(
    async ([source, layers, ...size]) => {
      const picture = new Image(...size)
      picture.src = URL.createObjectURL(new Blob([source], { type: 'image/svg+xml' }))
      await picture.decode()
      const canvas = document.createElement('canvas')
      ;[canvas.width, canvas.height] = size
      canvas.getContext('2d', layers).drawImage(picture, 0, 0, ...size)
      return canvas.toDataURL('image/webp', 0.7)
    },
    [drawing, { alpha }, width, height],
  )
  return Buffer.from(encoded.split(',')[1], 'base64')
}
