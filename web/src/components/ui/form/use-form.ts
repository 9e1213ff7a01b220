import {
  type DefaultValues,
  type FieldPath,
  type Resolver,
  useForm as useHookForm,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '@/contract/error'

/** What is typed, by the name that the server has for the field. */
export type FieldTexts = Record<string, string>

/** Without the keys that have no value. */
export type DefinedOnly<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

interface FormOptions<T extends FieldTexts, Body extends object> {
  /** Makes what is sent of what is typed. Its messages are names of problems, which `say` puts into words. */
  schema: z.ZodMiniType<Body, T>
  typed: T
  /** The text of a problem: one of the schema's, or what the server said of the field. */
  say: (problem: string, field: keyof T) => string
  /** Says what is wrong while it is typed, not only after it was sent. */
  live?: boolean
}

/** A form whose fields are named as the server names them. */
export interface Form<T extends FieldTexts, Body> extends UseFormReturn<T, unknown, DefinedOnly<Body>> {
  say: (problem: string, field: keyof T) => string
  /** Tells a refusal at the fields that it names, of which a part, such as series[0], counts as the field. False where it names none. */
  refuse: (error: unknown) => boolean
}

/** As much of a form as its fields need. */
export type FieldForm<T extends FieldTexts, Body> = Pick<
  Form<T, Body>,
  'register' | 'control' | 'say' | 'setValue' | 'setFocus'
>

/** As much of a form as sending it needs. */
export type SubmittableForm<T extends FieldTexts, Body> = Pick<Form<T, Body>, 'handleSubmit'>

export function useForm<T extends FieldTexts, Body extends object>({
  schema,
  typed,
  say,
  live = false,
}: FormOptions<T, Body>): Form<T, Body> {
  const form = useHookForm<T, unknown, DefinedOnly<Body>>({
    resolver: resolverOf(schema),
    defaultValues: typed as DefaultValues<T>,
    mode: live ? 'onChange' : 'onSubmit',
  })

  function refuse(error: unknown): boolean {
    const refused = Object.entries(error instanceof ApiError ? error.fields : {})
      .map(([path, message]) => ({ name: path.split(/[.[]/, 1)[0] ?? '', message }))
      .filter(({ name }) => name in typed)
    for (const { name, message } of refused) form.setError(name as FieldPath<T>, { type: 'refused', message })
    return refused.length > 0
  }

  return { ...form, say, refuse }
}

function resolverOf<T extends FieldTexts, Body extends object>(
  schema: z.ZodMiniType<Body, T>,
): Resolver<T, unknown, DefinedOnly<Body>> {
  return (typed) => {
    const read = schema.safeParse(typed)
    if (read.success) return { values: given(read.data), errors: {} }
    const problems = read.error.issues.map(({ path: [name], message }) => [name, { type: 'typed', message }] as const)
    return { values: {}, errors: Object.fromEntries([...problems].reverse()) }
  }
}

function given<Body extends object>(body: Body): DefinedOnly<Body> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as DefinedOnly<Body>
}
