import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { ServicesProvider } from '#lib/services/services.tsx'
import { testServices } from '#testing/test-services.ts'
import { type FieldCheck, required } from './field-checks.ts'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'
import { useSubmission } from './use-submission.ts'

/** Renders a form with a field whose check isn't ready before `finish` is called. */
function renderForm() {
  const check = Promise.withResolvers<void>()
  let isReady = false
  const saved: string[] = []
  const number: FieldCheck = {
    problemOf: (text) => (isReady && text.length < 3 ? 'Too short.' : null),
    ready: () => (isReady ? null : check.promise),
  }
  function Fixture() {
    const form = useSubmission('form', { name: required('Enter your name.'), number })
    const [name, setName] = useState('')
    const [text, setText] = useState('')
    const submit = () =>
      void form.submit({
        values: { name, number: text },
        missing: 'Please input all values.',
        action: async () => {
          saved.push(text)
          return { text: 'Saved' }
        },
      })
    return (
      <Form submission={form} action="Submit" onSubmit={submit}>
        <TextField {...form.input('name', name, setName)} label="Name" />
        <TextField {...form.input('number', text, setText)} label="Number" />
      </Form>
    )
  }
  const page = render(
    <ServicesProvider value={testServices()}>
      <Fixture />
    </ServicesProvider>,
  )
  const user = userEvent.setup()
  return {
    saved,
    unmount: page.unmount,
    type: (label: string, text: string) => user.type(screen.getByLabelText(label), text),
    submit: () => user.click(button()),
    finish: () =>
      act(async () => {
        isReady = true
        check.resolve()
        await check.promise
      }),
  }
}

const button = () => screen.getByRole('button', { name: 'Submit' })
const isBusy = () => button().getAttribute('aria-disabled') === 'true'

describe('a form with a check that takes time', () => {
  it('says at once what else is wrong, and then the rest', async () => {
    const { type, submit, finish } = renderForm()
    await type('Number', '12')
    await submit()
    expect(screen.getByText('Enter your name.')).toBeDefined()
    expect(isBusy()).toBe(false)
    await type('Name', 'A')
    await finish()
    expect(screen.getByText('Too short.')).toBeDefined()
    expect(screen.queryByText('Enter your name.')).toBeNull()
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  })

  it('waits for it, with words, and then runs once', async () => {
    const { type, submit, finish, saved } = renderForm()
    await type('Name', 'Ada')
    await type('Number', '123')
    await submit()
    expect(screen.getByText('Please wait...')).toBeDefined()
    expect(isBusy()).toBe(true)
    await submit()
    expect(saved).toEqual([])
    await finish()
    await screen.findByText('Saved')
    expect(saved).toEqual(['123'])
  })

  it('does nothing for a reader who has left meanwhile', async () => {
    const { type, submit, finish, saved, unmount } = renderForm()
    await type('Name', 'Ada')
    await type('Number', '123')
    await submit()
    unmount()
    await finish()
    expect(saved).toEqual([])
  })

  it('says what is wrong then, unless it has been corrected', async () => {
    const { type, submit, finish, saved } = renderForm()
    await type('Name', 'Ada')
    await type('Number', '12')
    await submit()
    await type('Number', '3')
    await finish()
    expect(screen.getByText('Try again.')).toBeDefined()
    expect(screen.queryByText('Too short.')).toBeNull()
    expect(isBusy()).toBe(false)
    await type('Number', '{Backspace}')
    await submit()
    expect(screen.getByText('Too short.')).toBeDefined()
    expect(saved).toEqual([])
  })
})
