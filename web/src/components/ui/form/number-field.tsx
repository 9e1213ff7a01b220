import { type FieldPathValue, useWatch } from 'react-hook-form'
import { type NumberKind, readNumber } from '@/lib/parse-number'
import { Field, type FieldProps } from './field'
import { NumberChoices, NumberInput, useNumberProblem } from './number-input'
import type { FieldForm, FieldTexts } from './use-form'

interface NumberFieldProps<T extends FieldTexts, Body> extends Omit<FieldProps<T, Body>, 'children' | 'below'> {
  form: FieldForm<T, Body>
  kind: NumberKind
  placeholder?: string
}

/** A number field. Asks which number was meant if the text is ambiguous. The form explains its bounds. */
export function NumberField<T extends FieldTexts, Body>({ kind, placeholder, ...field }: NumberFieldProps<T, Body>) {
  const { form, name } = field
  const text: string = useWatch({ control: form.control, name })
  const problem = useNumberProblem(readNumber(text, kind), kind)
  const fieldErrorText: typeof form.fieldErrorText = (code, key) =>
    (code === 'wrong' ? problem : undefined) ?? form.fieldErrorText(code, key)
  function choose(value: string) {
    form.setValue(name, value as FieldPathValue<T, typeof name>, { shouldValidate: true })
    form.setFocus(name)
  }
  return (
    <Field
      {...field}
      form={{ ...form, fieldErrorText }}
      below={<NumberChoices text={text} kind={kind} onChoose={choose} />}
    >
      {(control) => <NumberInput {...control} kind={kind} placeholder={placeholder} />}
    </Field>
  )
}
