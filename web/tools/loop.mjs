// Renders the background video of the Labubu page: the toys' images floating under a light, in an eight-second loop.
// Needs the built program, Chromium and ffmpeg; run it from web/.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'

const frameRate = 24
const seconds = 8
const loop = {
  width: 1280,
  height: 720,
  toys: ['labubu-3', 'labubu-9', 'labubu-14', 'labubu-deluxe-1', 'labubu-21', 'labubu-deluxe-6', 'labubu-7'],
}

const folder = await mkdtemp(join(tmpdir(), 'kaibao-loop-'))
const server = spawn(
  '../bin/kaibao',
  ['serve', '--addr', '127.0.0.1:0', '--ops-addr', '', '--data', join(folder, 'data')],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const [line] = await once(createInterface({ input: server.stdout }), 'line')
const url = line.replace('listening on ', '')
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage()
  await page.goto(`${url}/roadmap`)
  await page.evaluate(prepare, loop)
  for (let frame = 0; frame < frameRate * seconds; frame++) {
    const picture = await page.evaluate((at) => window.drawFrame(at), frame / (frameRate * seconds))
    await writeFile(join(folder, `${String(frame).padStart(4, '0')}.jpg`), Buffer.from(picture, 'base64'))
  }
  const encode = (...args) => execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...args], { stdio: 'inherit' })
  const frames = ['-framerate', String(frameRate), '-i', join(folder, '%04d.jpg')]
  encode(
    ...frames,
    '-c:v',
    'libvpx-vp9',
    '-b:v',
    '0',
    '-crf',
    '50',
    '-deadline',
    'good',
    '-cpu-used',
    '0',
    '-row-mt',
    '1',
    '-pix_fmt',
    'yuv420p',
    '-an',
    'public/labubus.webm',
  )
  encode('-i', join(folder, '0000.jpg'), '-q:v', '8', 'public/labubus.jpg')
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await once(server, 'exit')
  await rm(folder, { recursive: true })
}

/** Runs in the page: loads the images and defines `drawFrame`, which draws the loop at `at`, from 0 to 1. */
async function prepare({ width, height, toys }) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const g = canvas.getContext('2d')
  const pictures = await Promise.all(
    toys.map(async (id) => {
      const { imageUrl } = await (await fetch(`/api/items/${id}`)).json()
      const image = new Image()
      image.src = imageUrl
      await image.decode()
      // Rasterize once, because scaling an SVG for each frame takes most of the time.
      const small = document.createElement('canvas')
      small.width = 400
      small.height = 656
      small.getContext('2d').drawImage(image, 0, 0, small.width, small.height)
      return small
    }),
  )
  const turn = Math.PI * 2

  function ground(at) {
    const light = g.createRadialGradient(
      width * (0.5 + 0.12 * Math.sin(at * turn)),
      height * 0.2,
      40,
      width / 2,
      height / 2,
      width * 0.7,
    )
    light.addColorStop(0, '#2c2350')
    light.addColorStop(0.45, '#161530')
    light.addColorStop(1, '#090b10')
    g.fillStyle = light
    g.fillRect(0, 0, width, height)
  }

  // The toys are on a wheel seen from the front; one loop turns it once.
  function wheel(at) {
    return pictures
      .map((_, i) => {
        const angle = (i / pictures.length + at) * turn
        return { i, depth: Math.cos(angle), side: Math.sin(angle) }
      })
      .toSorted((a, b) => a.depth - b.depth)
  }

  function toy({ i, depth, side }, at) {
    const size = 0.42 + 0.3 * ((depth + 1) / 2)
    const tall = height * size * 1.12
    const wide = (tall * 400) / 656
    const x = width / 2 + side * width * 0.42
    const y = height * 0.5 + Math.sin(at * turn * 2 + i * 1.7) * 12 - depth * 14
    g.save()
    g.translate(x, y)
    g.rotate(Math.sin(at * turn + i) * 0.035)
    g.globalAlpha = 0.3 + 0.7 * ((depth + 1) / 2) ** 1.4
    g.drawImage(pictures[i], -wide / 2, -tall / 2, wide, tall)
    g.restore()
  }

  function dust(at) {
    for (let i = 0; i < 46; i++) {
      const x = ((i * 283) % 997) / 997
      const y = (((i * 619) % 991) / 991 + at * (1 + (i % 2))) % 1
      g.fillStyle = `rgb(255 226 160 / ${0.05 + 0.22 * Math.sin(y * Math.PI) * (((i * 7) % 10) / 10)})`
      g.beginPath()
      g.arc(x * width + Math.sin(at * turn + i) * 14, height - y * height, 1.2 + (i % 4) * 0.7, 0, turn)
      g.fill()
    }
  }

  window.drawFrame = (at) => {
    ground(at)
    for (const place of wheel(at)) toy(place, at)
    dust(at)
    return canvas.toDataURL('image/jpeg', 0.92).split(',')[1]
  }
}
