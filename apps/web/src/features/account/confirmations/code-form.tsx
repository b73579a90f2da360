import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeField } from '#components/forms/code-field.tsx'
import { codeCheck } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { useSubmission } from '#components/forms/use-submission.ts'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { codeErrors } from '../details/field-errors.ts'

type CodeFormProps = { formId: string; verify: (code: string) => Promise<void> }

/** Takes the code that confirms an address or a number. */
export function CodeForm({ formId, verify }: CodeFormProps) {
  const queryClient = useQueryClient()
  const form = useSubmission(formId, { code: codeCheck })
  const [code, setCode] = useState('')

  function submit() {
    void form.submit({
      values: { code },
      missing: 'Check the marked field.',
      async action() {
        await verify(code)
        void queryClient.invalidateQueries({ queryKey: deliveriesKey })
        return 'done'
      },
      errorsOf: codeErrors,
    })
  }

  return (
    <Form submission={form} action="Confirm" onSubmit={submit}>
      <CodeField submission={form} code={code} onCode={setCode} enterKeyHint="go" />
    </Form>
  )
}
