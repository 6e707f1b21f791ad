/** shadcn's form (`@/components/ui/form`), on React Hook Form. Apart from the others, which need neither it nor zod. */
import { Slot } from 'radix-ui'
import { createContext, useContext, useId, type ReactNode } from 'react'
import { Controller, FormProvider, useFormContext, useFormState, type ControllerProps } from 'react-hook-form'
import { Label } from './basics.tsx'
import { cn, type PartProps } from './part.tsx'

const Field = createContext('')
const Item = createContext('')

export const Form = FormProvider

export function FormField(props: ControllerProps): ReactNode {
  return (
    <Field.Provider value={props.name}>
      <Controller {...props} />
    </Field.Provider>
  )
}

export function useFormField() {
  const name = useContext(Field)
  const id = useContext(Item)
  const { getFieldState } = useFormContext()
  const state = useFormState({ name })
  return {
    id,
    name,
    formItemId: `${id}-item`,
    formDescriptionId: `${id}-description`,
    formMessageId: `${id}-message`,
    ...getFieldState(name, state),
  }
}

export function FormItem({ className, ...props }: PartProps): ReactNode {
  const id = useId()
  return (
    <Item.Provider value={id}>
      <div data-slot="form-item" className={cn('grid gap-2', className)} {...props} />
    </Item.Provider>
  )
}

export function FormLabel({ className, ...props }: PartProps): ReactNode {
  const { error, formItemId } = useFormField()
  return <Label className={cn(error && 'text-destructive', className)} htmlFor={formItemId} {...props} />
}

export function FormControl(props: PartProps): ReactNode {
  const { error, formItemId, formDescriptionId, formMessageId } = useFormField()
  const describedBy = error ? `${formDescriptionId} ${formMessageId}` : formDescriptionId
  return <Slot.Root id={formItemId} aria-describedby={describedBy} aria-invalid={Boolean(error)} {...props} />
}

export function FormDescription({ className, ...props }: PartProps): ReactNode {
  const { formDescriptionId } = useFormField()
  return <p id={formDescriptionId} className={cn('text-muted-foreground text-sm', className)} {...props} />
}

export function FormMessage({ className, children, ...props }: PartProps): ReactNode {
  const { error, formMessageId } = useFormField()
  const text = error ? (error.message ?? '') : children
  if (!text) return null
  return (
    <p id={formMessageId} className={cn('text-destructive text-sm', className)} {...props}>
      {text}
    </p>
  )
}
