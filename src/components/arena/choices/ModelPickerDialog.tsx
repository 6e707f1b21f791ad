import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ModelPicker, noFilters, type ModelPickerProps } from './ModelPicker.tsx'

interface ModelPickerDialogProps extends Omit<ModelPickerProps, 'filters' | 'onFilter'> {
  title: string
  description: string
  isOpen: boolean
  onClose: () => void
}

/** Chooses models in a dialog; the choice takes effect at once. */
export function ModelPickerDialog({ title, description, isOpen, onClose, ...picker }: ModelPickerDialogProps) {
  const [filters, setFilters] = useState(noFilters)
  return (
    <Dialog
      title={title}
      description={description}
      width="wide"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ModelPicker {...picker} filters={filters} onFilter={(changes) => setFilters({ ...filters, ...changes })} />
    </Dialog>
  )
}
