/** @jsxImportSource preact */
import { digitsOf } from '@tidings/contracts/membership/typed-text'
import { useRef } from 'preact/hooks'
import { useDialog } from '../state/dialog-context.ts'
import { type CodeDigits, clearDigit, codeLength, isComplete, spreadDigits } from './code-entry.ts'

type Props = { digits: CodeDigits; onChange: (digits: CodeDigits) => void; isErrorShown: boolean }

/** Six boxes for the digits of a code. */
export function CodeBoxes({ digits, onChange, isErrorShown }: Props) {
  const { t } = useDialog()
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const hasError = isErrorShown && !isComplete(digits)

  const focusBox = (index: number) => boxes.current[index]?.focus()

  function enter(text: string, index: number): void {
    const spread = spreadDigits(digits, text, index)
    onChange(spread.digits)
    focusBox(spread.next)
  }

  function onInput(event: InputEvent & { currentTarget: HTMLInputElement }, index: number): void {
    const { value } = event.currentTarget
    // A digit that is typed into a filled box replaces the old one. Autofill sets the whole code.
    const text = event.inputType === 'insertText' && event.data ? event.data : value
    if (value === '') onChange(clearDigit(digits, index))
    else if (digitsOf(text) !== '') enter(text, index)
    // The box keeps its digit, which a rejected character must not replace.
    else event.currentTarget.value = digits[index] ?? ''
  }

  function onKeyDown(event: KeyboardEvent, index: number): void {
    if (event.key === 'Backspace' && digits[index] === '' && index > 0) {
      event.preventDefault()
      onChange(clearDigit(digits, index - 1))
      focusBox(index - 1)
    }
    if (event.key === 'ArrowLeft') focusBox(index - 1)
    if (event.key === 'ArrowRight') focusBox(index + 1)
  }

  return (
    <fieldset class="code" aria-describedby={hasError ? 'ms-code-error' : undefined}>
      <legend>{t('code')}</legend>
      <div class="boxes" dir="ltr">
        {digits.map((digit, index) => (
          <input
            key={index}
            ref={(box) => {
              boxes.current[index] = box
            }}
            type="text"
            inputMode="numeric"
            autocomplete={index === 0 ? 'one-time-code' : 'off'}
            aria-label={t('code_digit', { position: index + 1, count: codeLength })}
            aria-invalid={hasError && digit === ''}
            data-autofocus={index === 0}
            value={digit}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onInput={(event) => onInput(event, index)}
            onKeyDown={(event) => onKeyDown(event, index)}
            onPaste={(event) => {
              event.preventDefault()
              enter(event.clipboardData?.getData('text') ?? '', index)
            }}
          />
        ))}
      </div>
      {hasError && (
        <p class="error" id="ms-code-error">
          {t('code_error_message')}
        </p>
      )}
    </fieldset>
  )
}
