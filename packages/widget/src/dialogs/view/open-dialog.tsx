/** @jsxImportSource preact */
import { render } from 'preact'
import { chooseLanguage } from '../../texts/language.ts'
import { createTranslate, loadTexts } from '../../texts/texts.ts'
import type { App } from '../membership-calls.ts'
import type { DialogRequest, OpenedDialog } from '../modals.ts'
import { isAccount } from '../state/dialog-state.ts'
import { startState } from '../state/start-state.ts'
import { DialogContext } from './dialog-context.ts'
import { createDialogStore, type DialogStore } from './dialog-store.ts'
import { focusedElement, watchRemoval } from './page.ts'
import { Screen } from './screen.tsx'
import { adoptStyles } from './styles.ts'
import { UnreadyFrame } from './unready-frame.tsx'

export const narrowQuery = '(max-width: 520px)'

/** Loads the texts of the dialogs. */
export function prepareTexts(language: string | undefined) {
  return loadTexts(chooseLanguage(language))
}

/** Opens a dialog in a shadow root. */
export function openDialog(request: DialogRequest): OpenedDialog {
  const { calls, params, member, texts, onResult } = request
  const ownHost = request.host === undefined
  const host = request.host ?? document.createElement('div')
  if (ownHost) document.body.append(host)
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  adoptStyles(root)

  const focused = focusedElement()
  const language = chooseLanguage(request.language)
  const narrow = matchMedia(narrowQuery)
  const pageTranslations: unknown = Reflect.get(window, 'memberstackTranslations')
  let t = createTranslate(texts, params.translations, pageTranslations)
  let store: DialogStore | null = null
  let hasFailed = false
  let isClosed = false
  const stopWatching = watchRemoval(host, close)
  const auth = calls.onAuthChange?.((next) => store?.setMember(next))
  narrow.addEventListener('change', onResize)

  function close(): void {
    if (isClosed) return
    isClosed = true
    stopWatching()
    auth?.unsubscribe()
    narrow.removeEventListener('change', onResize)
    store?.destroy()
    render(null, root)
    if (ownHost) host.remove()
    if (focused?.isConnected) focused.focus()
    request.onClosed()
  }

  function onResize(): void {
    if (!narrow.matches) store?.dispatch({ type: 'widened' })
    draw()
  }

  function onChange(): void {
    if (store?.state().display === 'closed') close()
    else draw()
  }

  function start(app: App): void {
    t = createTranslate(texts, params.translations, pageTranslations, app.translations)
    const initial = startState(request.type, { app, calls, params, member, isNarrow: narrow.matches })
    store = createDialogStore({ app, calls, params, t, initial, member, onResult, onChange })
    onChange()
  }

  async function load(): Promise<void> {
    hasFailed = false
    draw()
    try {
      const app = await request.getApp()
      if (!isClosed) start(app)
    } catch {
      hasFailed = true
      draw()
    }
  }

  function draw(): void {
    if (isClosed) return
    const frame = { language, onClose: close, isWide: request.type === 'PROFILE' }
    render(
      store === null ? (
        <UnreadyFrame {...frame} t={t} onRetry={hasFailed ? () => void load() : undefined} />
      ) : (
        <DialogContext.Provider value={store}>
          <Screen
            {...frame}
            state={store.state()}
            isNarrow={narrow.matches}
            isWide={isAccount(store.state())}
          />
        </DialogContext.Provider>
      ),
      root,
    )
  }

  void load()
  return { close }
}
