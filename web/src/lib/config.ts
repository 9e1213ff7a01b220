/** What the server tells the page about itself. */
interface Config {
  sandbox: boolean
  version: string
}

const defaults: Config = { sandbox: false, version: 'dev' }

/** Reads the configuration the server writes into index.html; there is none under `vite dev`. */
function readConfig(page: Document): Config {
  const text = page.getElementById('kaibao-config')?.textContent
  return text ? { ...defaults, ...(JSON.parse(text) as Partial<Config>) } : defaults
}

export const config: Config = readConfig(document)
