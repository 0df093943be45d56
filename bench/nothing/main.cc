// The least that a process can do: what starting a static program costs on this machine.
int main() { return 0; }
