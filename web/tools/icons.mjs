// Renders the icons for browsers and phones from public/favicon.svg. Needs Chromium; run it from web/.
import { readFile, writeFile } from 'node:fs/promises'
import { withBrowser } from './program.mjs'

const mark = await readFile('public/favicon.svg', 'utf8')

await withBrowser(async (browser) => {
  /** `square` fills the corners; the mark's own margin is the safe zone that maskable icons need. */
  async function png(size, { square = false } = {}) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(
      `<body style="margin:0;background:${square ? '#11141b' : 'transparent'}">${mark.replace('<svg', '<svg style="display:block;width:100vw"')}`,
    )
    const image = await page.screenshot({ omitBackground: true })
    await page.close()
    return image
  }
  await writeFile('public/icon-192.png', await png(192))
  await writeFile('public/icon-512.png', await png(512))
  await writeFile('public/icon-maskable-512.png', await png(512, { square: true }))
  await writeFile('public/apple-touch-icon.png', await png(180, { square: true }))

  // An ICO file is a header of 6 bytes, an entry of 16 bytes per image, and the images.
  const sizes = [16, 32, 48]
  const images = await Promise.all(sizes.map((size) => png(size)))
  const header = Buffer.alloc(6 + 16 * sizes.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(sizes.length, 4)
  let offset = header.length
  for (const [i, size] of sizes.entries()) {
    const entry = 6 + 16 * i
    header.writeUInt8(size, entry)
    header.writeUInt8(size, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(images[i].length, entry + 8)
    header.writeUInt32LE(offset, entry + 12)
    offset += images[i].length
  }
  await writeFile('public/favicon.ico', Buffer.concat([header, ...images]))
})
