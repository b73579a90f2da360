import { limits } from '@tidings/contracts/limits'
import { digitsOf, findCode } from '@tidings/contracts/membership/typed-text'
import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'
import type { FormSubmission } from './use-submission.ts'

type CodeFieldProps = {
  submission: FormSubmission
  code: string
  onCode: (code: string) => void
} & Pick<ComponentProps<typeof TextField>, 'enterKeyHint' | 'isAlert'>

/** The field of a one-time code. It takes digits only, and finds the code in a text that is pasted. */
export function CodeField({ submission, code, onCode, enterKeyHint, isAlert }: CodeFieldProps) {
  return (
    <TextField
      {...submission.input('code', code, (text) =>
        onCode(findCode(text) ?? digitsOf(text).slice(0, limits.codeDigits)),
      )}
      label="Code"
      required
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      enterKeyHint={enterKeyHint}
      isAlert={isAlert}
    />
  )
}
