export type Page = {
  status: number
  /** The header's redirect. */
  location: string | null
  html: string
  /** The page's error message. */
  problem: string | null
  /** The rows of the summary by name, as text. */
  rows: Record<string, string>
}

/** Opens a page as a browser does, without following redirects. */
export function openPage(url: string): Promise<Page> {
  return load(url, {})
}

/** Posts a form as a browser does. */
export function submitForm(url: string, fields: Record<string, string>): Promise<Page> {
  return load(url, { method: 'POST', body: new URLSearchParams(fields) })
}

async function load(url: string, request: RequestInit): Promise<Page> {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const reply = await fetch(url, { ...request, headers, redirect: 'manual' })
  const html = await reply.text()
  const [, problem] = /role="alert">([^<]*)</.exec(html) ?? []
  const rows = [...html.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs)]
  return {
    status: reply.status,
    location: reply.headers.get('location'),
    html,
    problem: problem ?? null,
    rows: Object.fromEntries(rows.map(([, name, value]) => [textOf(name), textOf(value)])),
  }
}

function textOf(html = '') {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
