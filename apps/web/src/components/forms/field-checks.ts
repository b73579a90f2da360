import { limits } from '@tidings/contracts/limits'
import {
  fitsCustomField,
  isEmailAddress,
  newPasswordProblem,
} from '@tidings/contracts/membership/field-rules'
import { messages } from '@tidings/contracts/membership/messages'
import { findCode, hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { useRef } from 'react'
import {
  hasPhoneLibrary,
  invalidPhoneText,
  isWrongPhone,
  phoneLibraryInTime,
} from '#lib/phone/phone-numbers.ts'

/** The errors of fields, by their names. */
export type FieldErrors = Record<string, string>

/** The rule of a field's value. */
export type FieldCheck = {
  /** Returns what is wrong with a text; null if nothing is, or while that isn't known. */
  problemOf: (text: string) => string | null
  /** Returns what resolves when `problemOf` knows about a text; null if it does. */
  ready?: (text: string) => Promise<unknown> | null
}

/** The checks of a form's fields, by their names. */
export type FieldChecks = Record<string, FieldCheck>

const nothingWrong = () => null

/** Checks that a field has a text, and then the text. */
export function required(
  missing: string,
  { problemOf, ready }: FieldCheck = { problemOf: nothingWrong },
): FieldCheck {
  return {
    problemOf: (text) => (hasVisibleText(text) ? problemOf(text) : missing),
    ...(ready && { ready }),
  }
}

/** Checks a text if there is one. */
export function optional(check: FieldCheck): FieldCheck {
  return { ...check, problemOf: (text) => (hasVisibleText(text) ? check.problemOf(text) : null) }
}

const tooLongName = `Use up to ${limits.customFieldCharacters.toLocaleString('en-US')} characters.`

export const nameCheck: FieldCheck = {
  problemOf: (text) => (fitsCustomField(text.trim()) ? null : tooLongName),
}

export const emailCheck: FieldCheck = {
  problemOf: (text) => (isEmailAddress(text) ? null : messages.invalidEmail),
}

const passwordTexts = {
  missing: 'Enter your password.',
  'too-short': messages.passwordTooShort,
  'too-long': 'Choose a shorter password.',
}

export const newPasswordCheck: FieldCheck = {
  problemOf: (text) => {
    const problem = newPasswordProblem(text)
    return problem === null ? null : passwordTexts[problem]
  },
}

export const knownPasswordCheck: FieldCheck = {
  problemOf: (text) => (text === '' ? passwordTexts.missing : null),
}

export const codeCheck: FieldCheck = {
  problemOf: (text) => (findCode(text) === null ? 'Enter the 6 digits of the code.' : null),
}

/** Checks a phone number of a region's people; `stored` is right, whatever it is. */
export function phoneCheck(region: string, stored = ''): FieldCheck {
  return {
    problemOf: (text) =>
      text !== stored && (isWrongPhone(text, region) || !fitsCustomField(text)) ? invalidPhoneText : null,
    ready: (text) =>
      hasVisibleText(text) && text !== stored && !hasPhoneLibrary() ? phoneLibraryInTime() : null,
  }
}

/** Returns what resolves when everything is known about the fields of a form; null if it is. */
function unfinishedChecks(checks: FieldChecks, values: Record<string, string>): Promise<unknown> | null {
  const unfinished = Object.entries(values).flatMap(([name, text]) => checks[name]?.ready?.(text) ?? [])
  return unfinished.length === 0 ? null : Promise.all(unfinished)
}

/** Returns what is known to be wrong with the fields of a form, in their order. */
function findProblems(checks: FieldChecks, values: Record<string, string>): FieldErrors {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => {
      const problem = checks[name]?.problemOf(text) ?? null
      return problem === null ? [] : [[name, problem]]
    }),
  )
}

/** Checks what is submitted, and remembers what is typed since. */
export function useFieldChecks(checks: FieldChecks) {
  const typed = useRef<Record<string, string>>({})
  return {
    /** Returns what is wrong with a text that was typed; null if nothing is. */
    problemOf(name: string, text: string): string | null {
      typed.current[name] = text
      return checks[name]?.problemOf(text) ?? null
    },
    check(values: Record<string, string>) {
      const since: Record<string, string> = {}
      typed.current = since
      const wrong = findProblems(checks, values)
      return {
        /** The fields that are known to be wrong. */
        wrong,
        /** Resolves when everything is known; null if it is. */
        unfinished: unfinishedChecks(checks, values),
        /** Returns whether more is known to be wrong, and nothing has been submitted since. */
        isMoreWrong: () =>
          typed.current === since &&
          Object.keys(findProblems(checks, values)).some((name) => !(name in wrong)),
        /** Returns what was wrong when it was submitted and still is. */
        stillWrong(): FieldErrors {
          const names = Object.keys(findProblems(checks, values))
          const newest = names.map((name) => [name, since[name] ?? values[name] ?? ''])
          return findProblems(checks, Object.fromEntries(newest))
        },
      }
    },
  }
}

export const hasProblem = (errors: FieldErrors) => Object.keys(errors).length > 0

/** Returns what the line below the action says about fields that are wrong. */
export function refusalText(errors: FieldErrors, values: Record<string, string>, missing: string): string {
  const names = Object.keys(errors)
  if (names.some((name) => !hasVisibleText(values[name] ?? ''))) return missing
  return names.length === 1 ? 'Check the marked field.' : 'Check the marked fields.'
}
