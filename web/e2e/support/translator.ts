import type { Page } from '@playwright/test'

/**
 * Changes pages opened later like Chrome's translation: it replaces every text node by a `<font>` element. The texts stay
 * the same, so that tests can find them, except for these words.
 */
export async function simulateTranslation(page: Page, words: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.addInitScript((translations) => {
    const untouched = 'font, script, style, textarea, title, [translate=no]'
    function replace(text: Node) {
      if (!text.nodeValue?.trim() || !text.parentElement || text.parentElement.closest(untouched)) return
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.append(Object.entries(translations).reduce((all, [from, to]) => all.replaceAll(from, to), text.nodeValue))
      outer.append(inner)
      text.parentNode?.replaceChild(outer, text)
    }
    function translateAll(root: Node) {
      const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT)
      const found: Node[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode()) found.push(text)
      found.forEach(replace)
    }
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        for (const node of addedNodes) translateAll(node)
        if (target.nodeType === Node.TEXT_NODE) replace(target)
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
  }, words)
}
