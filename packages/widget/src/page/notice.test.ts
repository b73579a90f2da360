import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectPage, type PageDeps } from './page-elements.ts'

const failed = 'Couldn’t open. Check your connection and try again.'
let opened: string[]
let load: PromiseWithResolvers<void>
let disconnect: () => void

beforeEach(() => {
  vi.useFakeTimers()
  opened = []
  load = Promise.withResolvers()
})
afterEach(() => {
  disconnect()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

/** Connects a page with these elements, whose dialogs load as `load` says. The app's texts may be known already. */
function open(
  html: string,
  { language, translations }: { language?: string; translations?: object } = {},
): void {
  document.body.innerHTML = html
  const deps: unknown = {
    language,
    calls: {
      getMemberToken: () => undefined,
      getCurrentMember: async () => ({ data: null }),
      logout: () => Promise.reject(new TypeError('Failed to fetch')),
      onAuthChange: () => ({ unsubscribe() {} }),
    },
    modals: {
      load: () => load.promise,
      prepare: () => load.promise,
      knownApp: () => translations && { translations },
      hideModal() {},
      async openModal(type: string) {
        opened.push(type)
        return { type: 'CLOSED', data: {} }
      },
    },
  }
  if (!isPage(deps)) throw new Error('No page')
  disconnect = connectPage(deps)
}

function isPage(value: unknown): value is PageDeps {
  return value instanceof Object && 'calls' in value
}

/** Clicks an element, and waits for `ms`. */
async function tap(id: string, ms = 0): Promise<void> {
  document.getElementById(id)?.click()
  await vi.advanceTimersByTimeAsync(ms)
}

const notice = () => document.body.lastElementChild?.shadowRoot?.querySelector('[role=status]')?.textContent

it('a tap says after 0.4 seconds that the dialog loads, and opens it once', async () => {
  open('<button id="in" data-membership="login"></button>')
  await tap('in', 399)
  expect(notice()).toBe('')
  await tap('in', 1)
  expect(notice()).toBe('Loading...')
  load.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(opened).toEqual(['LOGIN'])
  expect(notice()).toBeUndefined()
})

it('the last tap decides which dialog opens', async () => {
  open('<button id="in" data-membership="login"></button><button id="up" data-membership="signup"></button>')
  await tap('in')
  await tap('up')
  load.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(opened).toEqual(['SIGNUP'])
})

it('a tap without dialogs says what to do for seven seconds, and the next one opens', async () => {
  open('<a id="in" href="#" data-membership="login"></a>')
  load.reject(new Error('Loading chunk failed'))
  await tap('in', 6999)
  expect(notice()).toBe(failed)
  await tap('in', 6999)
  expect(document.querySelectorAll('body > div')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(notice()).toBeUndefined()
  load = Promise.withResolvers()
  load.resolve()
  await tap('in')
  expect(opened).toEqual(['LOGIN'])
})

it('its text has the language of the page’s script, and its button dismisses it', async () => {
  open('<button id="out" data-membership="logout"></button>', { language: 'de' })
  document.getElementById('out')?.focus()
  await tap('out')
  expect(notice()).toBe('Abmelden nicht möglich. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.')
  const button = document.body.lastElementChild?.shadowRoot?.querySelector('button')
  expect(button?.ariaLabel).toBe('Meldung ausblenden')
  button?.focus()
  button?.click()
  expect(notice()).toBeUndefined()
  expect(document.activeElement?.id).toBe('out')
})

it('its text is that of the page’s map, else of the app’s, once the app is known', async () => {
  vi.stubGlobal('memberstackTranslations', { loading: 'One moment', open_failed: ' ' })
  const translations = { loading: 'Wait', open_failed: 'No way in', dismiss_message: 'Hide' }
  open('<button id="in" data-membership="login"></button>', { translations })
  await tap('in', 400)
  expect(notice()).toBe('One moment')
  load.reject(new Error('Loading chunk failed'))
  await vi.advanceTimersByTimeAsync(0)
  expect(notice()).toBe('No way in')
  expect(document.body.lastElementChild?.shadowRoot?.querySelector('button')?.ariaLabel).toBe('Hide')
})

it.each([
  ['href="#login"', '#login'],
  ['data-fallback="#join"', '#join'],
  ['href="#login" data-fallback="#join"', '#join'],
])('an element with %s leads on instead', async (attributes, hash) => {
  location.hash = ''
  open(`<a id="in" ${attributes} data-membership="login"></a>`)
  load.reject(new Error('Loading chunk failed'))
  await tap('in')
  expect(location.hash).toBe(hash)
  expect(notice()).toBeUndefined()
})

it('an address that would run a script leads nowhere', async () => {
  open('<a id="in" data-fallback="javascript:document.body.remove()" data-membership="login"></a>')
  load.reject(new Error('Loading chunk failed'))
  await tap('in')
  expect(notice()).toBe(failed)
})
