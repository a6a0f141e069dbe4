"""The content blocks of the Messages API, by the names of their types."""

# What a model and the server tools beside it wrote.
OF_MODELS = """
    thinking redacted_thinking tool_use server_tool_use web_search_tool_result web_fetch_tool_result
    code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result
    tool_search_tool_result advisor_tool_result mcp_tool_use mcp_tool_result mcp_tool_listing fallback
"""
# What callers write.
OF_CALLERS = "text tool_result search_result document tool_reference browser_state"
# What stands within others.
WITHIN = """
    web_search_result web_search_tool_result_error web_fetch_result web_fetch_tool_result_error code_execution_result
    encrypted_code_execution_result code_execution_output code_execution_tool_result_error bash_code_execution_result
    bash_code_execution_output bash_code_execution_tool_result_error text_editor_code_execution_view_result
    text_editor_code_execution_create_result text_editor_code_execution_str_replace_result
    text_editor_code_execution_tool_result_error tool_search_tool_search_result tool_search_tool_result_error
    advisor_result advisor_redacted_result advisor_tool_result_error
"""
