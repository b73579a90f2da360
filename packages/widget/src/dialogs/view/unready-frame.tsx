/** @jsxImportSource preact */
import type { Translate } from '../../translations/translate.ts'
import { Frame } from './frame.tsx'

type Props = {
  t: Translate
  language: string
  isWide: boolean
  onClose: () => void
  /** Tries again after a failure; undefined while loading. */
  onRetry: (() => void) | undefined
}

/** Returns the frame before the app's configuration has arrived, or when it could not be read. */
export function unreadyFrame({ t, onRetry, ...frame }: Props) {
  const isLoading = onRetry === undefined
  const text = isLoading ? t('loading') : t('network_error')
  return (
    <Frame {...frame} id="LoadingModal" label={text} isBusy={isLoading} closeText={t('close')}>
      <div class="head" role={isLoading ? 'status' : 'alert'}>
        <h2 tabIndex={-1} class={isLoading ? 'quiet' : 'plain'}>
          {text}
        </h2>
      </div>
      {isLoading ? (
        <div class="skeleton" aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      ) : (
        <button type="button" class="primary" data-autofocus onClick={onRetry}>
          {t('try_again')}
        </button>
      )}
    </Frame>
  )
}
