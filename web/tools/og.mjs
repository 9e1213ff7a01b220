// Renders the Open Graph image (link previews) from the hero image. Needs the built program and Chromium; run it from
// web/.
import { screenshot, visit, withBrowser, withProgram } from './program.mjs'

await withProgram([], (url) =>
  withBrowser(async (browser) => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
    await visit(page, `${url}/roadmap`)
    await page.evaluate(() => {
      document.body.innerHTML = `
      <main style="position:fixed;inset:0;background:radial-gradient(ellipse 70% 60% at 60% -10%,#23305c,#090b10 70%);color:#f3f4f7;font-family:'Inter Variable';display:grid;grid-template-columns:520px 1fr;align-items:center;padding-left:72px">
        <div>
          <p style="font-size:34px;font-weight:600;color:#ecc272;margin:0">Kaibao 开包</p>
          <p style="font-size:66px;line-height:1.06;font-weight:650;letter-spacing:-.025em;margin:22px 0 0">Open a pack.<br>Own the card.</p>
          <p style="font-size:27px;color:#9ba4b5;margin:26px 0 0">Draws anyone can verify.</p>
        </div>
        <img src="/media/hero/1.svg" style="width:640px;height:480px;object-fit:cover;border-radius:36px;margin-left:24px">
      </main>`
      return document.images[0].decode()
    })
    await screenshot(page, { path: 'public/og.jpg', quality: 88 })
  }),
)
