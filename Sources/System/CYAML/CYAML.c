#include "CYAML.h"

#include <CLoading.h>

// Only the snapshot harness reads YAML.
#define LIBRARY "libyaml-0.so.2"

AVAILABLE(yaml_is_available)
MISSING(yaml_missing_library, yaml_is_available)

FORWARD_1(void, yaml_document_delete, yaml_document_t *)
FORWARD_2(yaml_node_t *, yaml_document_get_node, yaml_document_t *, int)
FORWARD_1(yaml_node_t *, yaml_document_get_root_node, yaml_document_t *)
FORWARD_1(void, yaml_parser_delete, yaml_parser_t *)
FORWARD_1(int, yaml_parser_initialize, yaml_parser_t *)
FORWARD_2(int, yaml_parser_load, yaml_parser_t *, yaml_document_t *)
FORWARD_3(void, yaml_parser_set_input_string, yaml_parser_t *, const unsigned char *, size_t)
