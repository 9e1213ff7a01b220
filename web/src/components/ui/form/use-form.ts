import {
  type DefaultValues,
  type FieldPath,
  type Resolver,
  useForm as useHookForm,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '@/contract/error'

/** The fields' texts by the server's field names. */
export type FieldTexts = Record<string, string>

/** Makes keys that may be undefined optional instead. */
export type DefinedOnly<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

interface FormOptions<T extends FieldTexts, Body extends object> {
  /** Parses the texts into the request body. Its messages are problem codes, which `fieldErrorText` translates. */
  schema: z.ZodMiniType<Body, T>
  defaultValues: T
  /** The text of a problem code of the schema, or of the server's message. */
  fieldErrorText: (problem: string, field: keyof T) => string
  /** Validates on change instead of on submit. */
  live?: boolean
}

export interface Form<T extends FieldTexts, Body> extends UseFormReturn<T, unknown, DefinedOnly<Body>> {
  fieldErrorText: (problem: string, field: keyof T) => string
  /** Shows a server error at its fields; series[0] counts as series. Returns false if the error names none of them. */
  showServerErrors: (error: unknown) => boolean
}

/** The part of a form that fields need. */
export type FieldForm<T extends FieldTexts, Body> = Pick<
  Form<T, Body>,
  'register' | 'control' | 'fieldErrorText' | 'setValue' | 'setFocus'
>

/** The part of a form that submitting needs. */
export type SubmittableForm<T extends FieldTexts, Body> = Pick<Form<T, Body>, 'handleSubmit'>

export function useForm<T extends FieldTexts, Body extends object>({
  schema,
  defaultValues,
  fieldErrorText,
  live = false,
}: FormOptions<T, Body>): Form<T, Body> {
  const form = useHookForm<T, unknown, DefinedOnly<Body>>({
    resolver: resolverOf(schema),
    defaultValues: defaultValues as DefaultValues<T>,
    mode: live ? 'onChange' : 'onSubmit',
  })

  function showServerErrors(error: unknown): boolean {
    const refused = Object.entries(error instanceof ApiError ? error.fields : {})
      .map(([path, message]) => ({ name: path.split(/[.[]/, 1)[0] ?? '', message }))
      .filter(({ name }) => name in defaultValues)
    for (const { name, message } of refused) form.setError(name as FieldPath<T>, { type: 'refused', message })
    return refused.length > 0
  }

  return { ...form, fieldErrorText, showServerErrors }
}

function resolverOf<T extends FieldTexts, Body extends object>(
  schema: z.ZodMiniType<Body, T>,
): Resolver<T, unknown, DefinedOnly<Body>> {
  return (texts) => {
    const parsed = schema.safeParse(texts)
    if (parsed.success) return { values: withoutUndefined(parsed.data), errors: {} }
    const problems = parsed.error.issues.map(
      ({ path: [name], message }) => [name, { type: 'invalid', message }] as const,
    )
    return { values: {}, errors: Object.fromEntries([...problems].reverse()) }
  }
}

function withoutUndefined<Body extends object>(body: Body): DefinedOnly<Body> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as DefinedOnly<Body>
}
