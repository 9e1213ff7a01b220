import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { ApiError } from '@/contract/error'
import { anyText, optional, required, wholeNumber } from '@/lib/field-parsers'
import { Input } from '@/components/ui/input'
import { Field } from './field'
import { Form, SubmitButton } from './form'
import { useForm } from './use-form'

const schema = z.object({ name: optional(anyText), count: required(wholeNumber(1, 5)), note: required(anyText) })

interface ProbeProps {
  onSubmit: (body: object) => Promise<void>
}

function Probe({ onSubmit }: ProbeProps) {
  const [pending, setPending] = useState(false)
  const form = useForm({
    schema,
    defaultValues: { name: '', count: '', note: '' },
    fieldErrorText: (problem, field) => `${field}: ${problem}`,
  })
  async function submit(body: object) {
    setPending(true)
    await onSubmit(body).catch(form.showServerErrors)
    setPending(false)
  }
  return (
    <Form
      form={form}
      pending={pending}
      onSubmit={(body) => void submit(body)}
      actions={<SubmitButton pending={pending}>Send</SubmitButton>}
    >
      {(['name', 'count', 'note'] as const).map((name) => (
        <Field key={name} form={form} name={name} label={name} hint={`hint of ${name}`}>
          {(control) => <Input {...control} />}
        </Field>
      ))}
    </Form>
  )
}

const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))

it('sends nothing while a field is invalid, shows errors below the fields, and focuses the first', async () => {
  const sent = vi.fn<ProbeProps['onSubmit']>()
  render(<Probe onSubmit={sent} />)
  await userEvent.type(screen.getByLabelText('count'), '9')
  await send()
  expect(screen.getByLabelText('name')).toHaveAccessibleDescription('hint of name')
  expect(screen.getByLabelText('count')).toHaveAccessibleDescription('count: wrong')
  expect(screen.getByLabelText('note')).toHaveAccessibleDescription('note: required')
  expect(screen.getByLabelText('name')).toBeValid()
  expect(screen.getByLabelText('note')).toBeInvalid()
  expect(screen.getByLabelText('count')).toHaveFocus()
  await userEvent.clear(screen.getByLabelText('count'))
  await userEvent.type(screen.getByLabelText('count'), '5')
  expect(screen.getByLabelText('count')).toHaveAccessibleDescription('hint of count')
  expect(sent).not.toHaveBeenCalled()
})

it('omits empty fields, and is disabled until the response arrives', async () => {
  let answer = () => {}
  const sent = vi.fn<ProbeProps['onSubmit']>(() => new Promise((resolve) => (answer = resolve)))
  render(<Probe onSubmit={sent} />)
  await userEvent.type(screen.getByLabelText('count'), '2')
  await userEvent.type(screen.getByLabelText('note'), ' x {enter}')
  expect(sent.mock.calls).toEqual([[{ count: 2, note: 'x' }]])
  expect(screen.getByRole('group')).toBeDisabled()
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  answer()
  await waitFor(() => expect(screen.getByRole('group')).toBeEnabled())
  expect(screen.getByLabelText('note')).toHaveValue(' x ')
})

it('shows a refusal at the fields it names until they are changed, and focuses the first', async () => {
  const fields = { 'note[0]': 'is odd', name: 'is taken', other: 'is nowhere' }
  let refuse = () => {}
  const asked = () =>
    new Promise<void>((_, reject) => (refuse = () => reject(new ApiError(422, 'invalid', 'no', '', fields))))
  render(<Probe onSubmit={asked} />)
  await userEvent.type(screen.getByLabelText('count'), '2')
  await userEvent.type(screen.getByLabelText('note'), 'x')
  await send()
  refuse()
  const name = screen.getByLabelText('name')
  await waitFor(() => expect(name).toHaveAccessibleDescription('name: is taken'))
  expect(screen.getByLabelText('note')).toHaveAccessibleDescription('note: is odd')
  await waitFor(() => expect(name).toHaveFocus())
  await userEvent.type(name, 'y')
  expect(name).toHaveAccessibleDescription('hint of name')
  expect(screen.getByLabelText('note')).toHaveAccessibleDescription('note: is odd')
})
