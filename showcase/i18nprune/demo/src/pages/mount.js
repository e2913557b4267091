export function mount(root) {
  root.dataset.mounted = 'true';
}
