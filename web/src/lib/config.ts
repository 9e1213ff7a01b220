/** What the server tells the page about itself. */
interface Config {
  sandbox: boolean
  version: string
  /** Where the community meets; empty where the installation names no place. */
  social: string
  chat: string
  /** Whether the browser brought a session's cookie: without one nobody needs to be asked for. */
  session: boolean
}

const defaults: Config = { sandbox: false, version: 'dev', social: '', chat: '', session: true }

/** Reads the configuration the server writes into index.html; there is none under `vite dev`. */
function readConfig(page: Document): Config {
  const text = page.getElementById('kaibao-config')?.textContent
  return text ? { ...defaults, ...(JSON.parse(text) as Partial<Config>) } : defaults
}

export const config: Config = readConfig(document)
