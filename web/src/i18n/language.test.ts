import { afterEach, describe, expect, it, vi } from 'vitest'
import { initialLanguage, setLanguage, showLanguage } from '.'

describe('the language of a page', () => {
  afterEach(() => showLanguage('en'))

  it.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['EN-us', 'en'],
    ['zh-CN', 'zh'],
    ['de-DE', 'zh'],
    ['enq', 'zh'],
  ])('a first visit with a browser in %s is in %s', (browser, language) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(browser)
    expect(initialLanguage()).toBe(language)
  })

  it('is set once, because setting it again makes the browser restyle the whole page', async () => {
    await showLanguage('en')
    const said = vi.fn()
    const watch = new MutationObserver((records) => records.forEach(said))
    watch.observe(document.documentElement, { attributeFilter: ['lang'] })
    await showLanguage('en')
    await showLanguage('zh')
    await Promise.resolve()
    watch.disconnect()
    expect(said).toHaveBeenCalledOnce()
  })

  it('is remembered once chosen', async () => {
    await setLanguage('zh')
    expect(document.documentElement.lang).toBe('zh-CN')
    expect(initialLanguage()).toBe('zh')
  })
})
